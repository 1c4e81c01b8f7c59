/** Runs the line of a script that a call of a callback has, and writes both into the log. */
import { callOperation } from "./call-operations.guest";
import { Context } from "./contexts.guest";
import { httpOperation } from "./http-operations.guest";
import { Operation } from "./operation.guest";
import { say } from "./out.guest";
import { stateOperation } from "./state-operations.guest";
import { systemOperation } from "./system-operations.guest";

/** Whether a callback is told of always, or only where its line is. */
export const enum Telling {
  always,
  withLine,
}

/**
 * What the callback answers: that of the line's last `return`, else `answer`. `context` is the one whose script is
 * asked, `call` how this call reads in the log.
 */
export function run(
  context: Context,
  callback: string,
  call: string,
  answer: i32 = 0,
  telling: Telling = Telling.always,
): i32 {
  const line = context.script.next(callback);
  if (line == null) {
    if (telling == Telling.always) say(call);
    return answer;
  }
  say(call);
  for (let index = 0; index < line.operations.length; index++) {
    const op = new Operation(line.operations[index], context);
    if (op.name == "return") {
      answer = <i32>op.long(1);
      continue;
    }
    if (op.name == "trap") {
      say("  trap");
      unreachable();
    }
    say("  " + op.text + " = " + perform(op));
  }
  return answer;
}

function perform(op: Operation): string {
  let result = httpOperation(op);
  if (result == null) result = callOperation(op);
  if (result == null) result = stateOperation(op);
  if (result == null) result = systemOperation(op);
  return result == null ? "unknown op" : result;
}
