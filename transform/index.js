// The asc transform of the SDK. asconfig.json lists it before json-as: it sees the sources as the
// author wrote them.
import { Transform } from "assemblyscript/transform";
import { dropIdleCallbacks } from "./callbacks.js";
import { reportCaptures } from "./captures.js";
import { reportRelativeCopy } from "./copies.js";
import { keepEntries } from "./entry.js";
import { reportStrayImports } from "./imports.js";
import { JsonAsOrder, chooseCacheSize } from "./json-as-order.js";
import { chooseMarker, demandOneMarker, isForHigress } from "./marker.js";
import { factsOf } from "./module-facts.js";
import { demandKnownCompiler } from "./nodes.js";
import { packData } from "./packed-data.js";
import { trimShadowStack } from "./shadow-stack.js";
import { isUsers } from "./sources.js";
import { demandExportedStart } from "./start-section.js";
import { dropIdleDispatch } from "./overrides.js";
import { thinVisitOfGlobals, thinVisitOfMembers } from "./visitors.js";
import { dropZeroFields } from "./zero-fields.js";

chooseCacheSize();

/** Programs that already have a transform of ours: listed twice, the second has nothing to do. */
const claimed = new WeakSet();

export default class ProxyWasmTransform extends Transform {
  #isIdle = false;
  #order = new JsonAsOrder();

  /** @param {any} parser */
  afterParse(parser) {
    const { program } = this;
    this.#isIdle = claimed.has(program);
    if (this.#isIdle) return;
    claimed.add(program);
    demandKnownCompiler(program);
    reportRelativeCopy(parser);
    reportCaptures(parser, parser.sources.filter(isUsers));
    dropIdleCallbacks(parser);
    chooseMarker(parser, program);
    keepEntries(program, (line) => this.stderr.write(`proxy-wasm-as: ${line}\n`));
  }

  /** @param {any} program */
  afterInitialize(program) {
    if (!this.#isIdle) this.#order.watch(program);
  }

  /** @param {any} module */
  afterCompile(module) {
    if (this.#isIdle) return;
    const { program } = this;
    const facts = factsOf(module, this.binaryen);
    this.#order.demandCacheSize(program);
    demandExportedStart(program, facts.hasStartSection);
    demandOneMarker(program, facts.exports);
    reportStrayImports(program, facts.imports, { higress: isForHigress(program) });
    dropIdleDispatch(module);
    thinVisitOfGlobals(module);
    thinVisitOfMembers(module, program);
    dropZeroFields(module);
    trimShadowStack(module);
    packData(module);
  }
}
