const obeyed = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** Text of a file or a module, made safe for a terminal and for one line: control characters are shown, not obeyed. */
export function printable(text: string): string {
  return text.replace(obeyed, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
