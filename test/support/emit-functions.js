// An asc transform that writes to stderr, as text, the functions that show fields to the collector and those that choose
// among overriding methods: as they are when the transforms before it are done.
import { Transform } from "assemblyscript/transform";

export default class EmitFunctions extends Transform {
  /** @param {any} module */
  afterCompile(module) {
    const { binaryen } = this;
    for (let index = 0; index < module.getNumFunctions(); index++) {
      const reference = module.getFunctionByIndex(index);
      const name = binaryen.Function.getName(reference);
      if (!/(~visit|@override)$/.test(name)) continue;
      this.stderr.write(`${name}\n${binaryen.emitText(binaryen.Function.getBody(reference))}\n\n`);
    }
  }
}
