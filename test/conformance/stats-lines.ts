/** The lines of a statistics page whose names match, in the page's order. */
export function statsLines(page: string, filter: RegExp): string[] {
  return page
    .split("\n")
    .filter((line) => line !== "")
    .filter((line) => filter.test(nameOf(line)));
}

/** `name: value` of the plain page; `name{labels} value` or `# TYPE name kind` of the other. */
function nameOf(line: string): string {
  const typed = /^# TYPE (\S+) /.exec(line)?.[1];
  return typed ?? /^[^:{ ]+/.exec(line)?.[0] ?? "";
}
