// An asc transform for one test: takes every root out of the shadow stack, also those that are needed.
import binaryen from "assemblyscript/binaryen";
import { eachPart, kindOf } from "../../transform/expressions.js";

const pointer = "~lib/memory/__stack_pointer";

export default class DropEveryRoot {
  /** @param {any} module */
  afterCompile(module) {
    for (let i = 0; i < module.getNumFunctions(); i++) {
      const { body } = binaryen.getFunctionInfo(module.getFunctionByIndex(i));
      if (body) drop(module, body);
    }
  }
}

function drop(module, expression) {
  eachPart(expression, (part) => {
    drop(module, part);
    if (kindOf(part) !== binaryen.StoreId) return undefined;
    const at = binaryen.Store.getPtr(part);
    const isRoot =
      kindOf(at) === binaryen.GlobalGetId && binaryen.GlobalGet.getName(at) === pointer;
    return isRoot ? module.drop(binaryen.Store.getValue(part)) : undefined;
  });
}
