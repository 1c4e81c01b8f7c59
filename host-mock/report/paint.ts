import { styleText } from "node:util";

type Style = Parameters<typeof styleText>[0];

/** Colours of a report; each is the identity where none are wanted. */
export interface Paint {
  readonly strong: (text: string) => string;
  readonly faint: (text: string) => string;
  readonly good: (text: string) => string;
  readonly bad: (text: string) => string;
  readonly warn: (text: string) => string;
  readonly accent: (text: string) => string;
  readonly plain: (text: string) => string;
}

export type PaintName = keyof Paint;

/** The caller has decided whether its output shows colours, so no stream is asked again. */
export function paint(hasColor: boolean): Paint {
  const same = (text: string): string => text;
  const style = (format: Style) =>
    hasColor ? (text: string): string => dress(format, text) : same;
  return {
    strong: style("bold"),
    faint: style("dim"),
    good: style("green"),
    bad: style(["bold", "red"]),
    warn: style("yellow"),
    accent: style("cyan"),
    plain: same,
  };
}

function dress(format: Style, text: string): string {
  return text === "" ? "" : styleText(format, text, { validateStream: false });
}

const control = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** Text of a guest or a file, made safe for a terminal: control characters are shown, not obeyed. */
export function clean(text: string, lengthMax = Number.POSITIVE_INFINITY): string {
  const shown = text.replace(control, (found) => {
    if (found === "\n") return "\\n";
    return `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
  return shown.length > lengthMax ? `${shown.slice(0, lengthMax - 1)}…` : shown;
}

/** Words broken into lines of at most `width` columns; a longer word stands alone. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === "" ? word : `${line} ${word}`;
    }
  }
  return line === "" ? lines : [...lines, line];
}
