/** What a trap looks like in the log. */
import type { ProbeCase, ProbeGuest, ProbePlugin, ProbeSuite } from "../probe.ts";

/** What is done, by the letter that the guest knows it by. */
const manners: Readonly<Record<string, readonly [manner: string, what: string]>> = {
  unreachable: ["a", "unreachable, in functions with mangled names of C++ and Rust"],
  "out-of-bounds": ["b", "a load out of bounds"],
  "divide-by-zero": ["c", "a division by zero"],
  "remainder-by-zero": ["d", "a remainder by zero"],
  "divide-overflow": ["e", "the one division of integers that overflows"],
  truncation: ["f", "a number too large for an integer"],
  "wrong-signature": ["g", "an indirect call of a function of another type"],
  "null-function": ["h", "an indirect call of nothing"],
  "out-of-table": ["i", "an indirect call beyond the table"],
  exception: ["j", "an exception that nobody catches"],
  deep: ["k", "thirty frames"],
  "stack-overflow": ["l", "an endless recursion"],
  fill: ["m", "memory.fill out of bounds"],
  "in-allocator": [
    "q",
    "a trap in the allocator: the host call answers 6, the callback goes on, the VM has failed",
  ],
  "forbidden-call": ["r", "a forbidden host call in the allocator"],
  twice: ["s", "a trap in the allocator, and then one in the callback"],
};

function plugin(name: string, guest: ProbeGuest): ProbePlugin {
  const [configuration] = manners[name.replace(/-unnamed$/, "")]!;
  return { name, guest, configuration, vmConfiguration: name };
}

const named = { wat: "trap-kinds.wat", names: true };
const unnamed = { wat: "trap-kinds.wat" };

const plugins: readonly ProbePlugin[] = [
  ...Object.keys(manners).map((name) => plugin(name, named)),
  ...["unreachable", "exception", "twice"].map((name) => plugin(`${name}-unnamed`, unnamed)),
];

function trapping({ name }: ProbePlugin): ProbeCase {
  const isUnnamed = name.endsWith("-unnamed");
  const [, what] = manners[name.replace(/-unnamed$/, "")]!;
  return {
    id: name,
    what: `A trap: ${what}${isUnnamed ? ", without a name section" : ""}.`,
    shows: name === "forbidden-call" ? [35] : [],
    run: async (host) => {
      await host.ask({ listener: name });
      await host.ask({ listener: name });
    },
  };
}

export const suite: ProbeSuite = {
  name: "traps",
  what: "What a trap looks like in the log.",
  plugins,
  listeners: plugins.map(({ name }) => ({ name, plugins: [name] })),
  cases: plugins.map(trapping),
};
