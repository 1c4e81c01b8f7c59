// Which `const` asc may copy into the functions that mention it. Such a name is no capture.
import { Kind } from "./nodes.js";

const builtins = new Set([
  "i8",
  "i16",
  "i32",
  "i64",
  "isize",
  "u8",
  "u16",
  "u32",
  "u64",
  "usize",
  "f32",
  "f64",
  "bool",
  "sizeof",
  "alignof",
  "offsetof",
  "nameof",
  "idof",
  "isInteger",
  "isSigned",
  "isFloat",
  "isReference",
  "isManaged",
  "isString",
  "isArray",
  "isNullable",
  "isDefined",
  "isConstant",
]);

/**
 * True when asc may know the value while compiling. asc tries to evaluate the initialiser; of an
 * enum's or a global's value this check cannot know, and then leaves the word to asc: better its
 * message than a false one of ours.
 *
 * @param {any} initializer
 * @param {(name: string) => { isConstant: boolean } | undefined} lookUp finds a local by its name
 * @returns {boolean}
 */
export function mayBeConstant(initializer, lookUp) {
  const again = (/** @type {any} */ node) => mayBeConstant(node, lookUp);
  switch (initializer?.kind) {
    case Kind.True:
    case Kind.False:
    case Kind.Null:
      return true;
    case Kind.Literal:
      return typeof initializer.value !== "undefined";
    case Kind.Identifier:
      return lookUp(initializer.text)?.isConstant ?? true;
    case Kind.Parenthesized:
    case Kind.Assertion:
      return again(initializer.expression);
    case Kind.UnaryPrefix:
      return again(initializer.operand);
    case Kind.Binary:
      return again(initializer.left) && again(initializer.right);
    case Kind.Ternary:
      return again(initializer.condition) && again(initializer.ifThen) && again(initializer.ifElse);
    case Kind.PropertyAccess:
      return namesType(initializer);
    case Kind.Call:
      return (
        initializer.expression.kind === Kind.Identifier &&
        builtins.has(initializer.expression.text) &&
        initializer.args.every(again)
      );
    default:
      return false;
  }
}

/**
 * `Colour.Red`, `wrapper.Action.Pause`, `i32.MAX_VALUE`: a value of an enum, a namespace or a
 * class.
 *
 * @param {any} access
 * @returns {boolean}
 */
function namesType(access) {
  const { expression, property } = access;
  if (expression.kind === Kind.PropertyAccess)
    return namesType(expression) || /^[A-Z]/.test(property.text);
  if (expression.kind !== Kind.Identifier) return false;
  return /^[A-Z]/.test(expression.text) || builtins.has(expression.text);
}
