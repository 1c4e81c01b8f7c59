import { createHash } from "node:crypto";
import { escape } from "./escape.ts";

export interface DocumentParts {
  readonly title: string;
  readonly css: string;
  readonly body: string;
  /** JSON that the script reads; it stands in a script element that is not run. */
  readonly data?: string;
  readonly script?: string;
}

/**
 * One file that needs no other: it may run the script and use the style that are in it, told by their hashes, and
 * fetch nothing.
 */
export function document({ title, css, body, data, script }: DocumentParts): string {
  const scripts = script === undefined ? "" : `<script>${script}</script>\n`;
  const policy = [
    "default-src 'none'",
    `style-src '${hash(css)}'`,
    ...(script === undefined ? [] : [`script-src '${hash(script)}'`]),
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return (
    '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n' +
    `<meta http-equiv="Content-Security-Policy" content="${policy}">\n` +
    '<meta name="viewport" content="width=device-width, initial-scale=1">\n' +
    '<meta name="color-scheme" content="light dark">\n' +
    `<title>${escape(title)}</title>\n<style>${css}</style>\n</head>\n<body>\n${body}\n` +
    (data === undefined
      ? ""
      : `<script type="application/json" id="report-data">${data}</script>\n`) +
    `${scripts}</body>\n</html>\n`
  );
}

function hash(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}
