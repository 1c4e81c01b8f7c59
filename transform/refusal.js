/**
 * Ends a build with one line. asc prints `FAILURE ` and the stack of what a hook throws, so the
 * stack is the message; it then writes no file and exits with 1.
 */
export class Refusal extends Error {
  /** @param {string} message */
  constructor(message) {
    super(message);
    this.name = "Refusal";
    this.stack = message;
  }
}
