// Leaves out the callbacks that nothing in the program answers: a host calls every export it
// finds, at a cost.
import { answeredBy } from "./answered-by.js";
import { Kind, descendants, namesIn } from "./nodes.js";
import { ABI_INDEX, SDK, mayUseSdk } from "./sources.js";

/** Where plugins without the wrapper get `Slots` from. */
const SLOT_FILES = [`${SDK}abi/dispatch`, `${SDK}abi/contexts`];

/**
 * Drops lines `export * from "./on-…"` of the SDK's abi/index.ts. A callback stays when the code
 * outside the SDK names a call that answers it, or names its slot in a file that imports
 * `abi/dispatch`. A callback unknown to the table stays.
 *
 * @param {any} parser
 */
export function dropIdleCallbacks(parser) {
  const names = new Set();
  const slots = new Set();
  for (const source of parser.sources.filter(mayUseSdk)) {
    const own = namesIn(source);
    for (const name of own) names.add(name);
    if (importsSlots(source)) for (const name of own) slots.add(name);
  }
  dropFrom(parser, (file) => {
    const answers = answeredBy.get(file);
    if (answers === undefined || answers.some((name) => names.has(name))) return false;
    return !slotsOf(parser, file).some((name) => slots.has(name));
  });
}

/**
 * The fields of `Slots` that a callback file reads: `on-tick` has `tick`.
 *
 * @param {any} parser
 * @param {string} file
 * @returns {string[]}
 */
function slotsOf(parser, file) {
  const source = parser.sources.find(
    (/** @type {any} */ one) => one.internalPath === `${SDK}abi/${file}`,
  );
  if (!source) return [];
  const slots = [];
  for (const statement of source.statements) {
    for (const node of descendants(statement)) {
      if (node.kind === Kind.PropertyAccess && node.expression.property?.text === "slots")
        slots.push(node.property.text);
    }
  }
  return slots;
}

/**
 * Drops the lines of abi/index.ts whose file the caller does not want.
 *
 * @param {any} parser
 * @param {(file: string) => boolean} isUnwanted is given `on-tick` for `./on-tick`
 */
export function dropFrom(parser, isUnwanted) {
  for (const source of parser.sources) {
    if (source.internalPath !== ABI_INDEX) continue;
    source.statements = source.statements.filter((/** @type {any} */ statement) => {
      if (statement.kind !== Kind.Export || !statement.internalPath?.startsWith(`${SDK}abi/`))
        return true;
      return !isUnwanted(statement.internalPath.slice(`${SDK}abi/`.length));
    });
  }
}

/** @param {any} source */
function importsSlots(source) {
  return source.statements.some(
    (/** @type {any} */ statement) =>
      statement.kind === Kind.Import && SLOT_FILES.includes(statement.internalPath),
  );
}
