// json-as 1.6.0 takes any file called assembly/index.ts for a library, and an entry of that name
// then exports nothing.
import { isEntry } from "./sources.js";

const USER_ENTRY = 1;

/**
 * Makes the entries entries again after all transforms have seen the sources and before asc reads
 * them.
 *
 * @param {any} program
 * @param {(line: string) => void} note
 */
export function keepEntries(program, note) {
  const entries = program.sources.filter(isEntry);
  const initialize = program.initialize;
  program.initialize = () => {
    delete program.initialize;
    for (const entry of entries) {
      if (isEntry(entry)) continue;
      entry.sourceKind = USER_ENTRY;
      note(
        `${entry.normalizedPath}: json-as takes an entry of this name for a library; its exports were restored. ` +
          "assembly/plugin.ts is the usual name.",
      );
    }
    initialize.call(program);
  };
}
