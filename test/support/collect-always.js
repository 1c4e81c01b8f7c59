// An asc transform for tests: the collector runs to its end at every allocation, so that an object that
// nothing roots is gone, and its memory handed out again, at the first opportunity.
import binaryen from "assemblyscript/binaryen";
import { Transform } from "assemblyscript/transform";

export default class extends Transform {
  afterCompile(module) {
    const name = "~lib/rt/itcms/__new";
    const { params, results, vars, body } = binaryen.getFunctionInfo(module.getFunction(name));
    module.removeFunction(name);
    // The rest of a cycle that is under way, then a whole one.
    const cycles = ["rest", "whole"].map((label) => untilIdle(module, label));
    module.addFunction(name, params, results, vars, module.block(null, [...cycles, body], results));
  }
}

function untilIdle(module, label) {
  const step = module.drop(module.call("~lib/rt/itcms/step", [], binaryen.i32));
  const state = module.global.get("~lib/rt/itcms/state", binaryen.i32);
  return module.loop(label, module.block(null, [step, module.br(label, state)]));
}
