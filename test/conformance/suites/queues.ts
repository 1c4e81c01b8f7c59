/** Shared queues. Tokens of the process: 1 on-main, 2 jobs, 3 leaving, 4 other, 5 the empty name, 6 doomed. */
import type { ProbeCase, ProbeSuite } from "../probe.ts";

const direct = { directResponse: { status: 200, body: "ok" } } as const;

function ops(
  id: string,
  what: string,
  shows: readonly number[],
  operations: string,
  listener = "q",
): ProbeCase {
  const script = `request_headers: ${operations}`;
  return { id, what, shows, run: async (host) => void (await host.ask({ listener, script })) };
}

export const suite: ProbeSuite = {
  name: "queues",
  what: "Shared queues: tokens, elements, who is told and who is not.",
  plugins: [
    // Bootstrap services start before listeners.
    {
      name: "S",
      vmId: "s-vm",
      kind: "singleton",
      configuration: "configure: qreg on-main | queue_ready: qget 1",
    },
    {
      name: "Q",
      vmId: "q-vm",
      configuration: "configure: qreg jobs | queue_ready: qget 2; qget 2",
    },
    // The same vm_id and another VM.
    { name: "M", vmId: "q-vm", vmConfiguration: "other" },
    { name: "O", vmId: "o-vm", configuration: "configure: qres q-vm jobs; qres ~ jobs" },
    { name: "T", vmId: "t-vm" },
    { name: "L", vmId: "l-vm", configuration: "configure: qreg leaving" },
  ],
  listeners: [
    { name: "q", plugins: ["Q"], ...direct },
    { name: "m", plugins: ["M"], ...direct },
    { name: "o", plugins: ["O"], ...direct },
    { name: "t", plugins: ["T"], ...direct },
    { name: "l", plugins: ["L"], ...direct },
  ],
  cases: [
    ops(
      "tokens",
      "Tokens count through the process; a name registered again has the same.",
      [26],
      "qreg jobs; qreg other; qreg jobs; qreg ~; qreg ~; qreg ^outside",
    ),
    ops(
      "resolving",
      "An empty vm_id is one's own; unknown names and vm_ids are NotFound.",
      [],
      "qres ~ jobs; qres q-vm jobs; qres o-vm jobs; qres ~ nothing; qres nowhere jobs; qres ^outside jobs; qres ~ ^outside",
    ),
    ops(
      "unknown-tokens",
      "Tokens that nobody was given.",
      [],
      "qget 99; qput 99 x; qget 0; qput 0 x; qput 99 ^outside",
    ),
    ops("empty-queue", "A queue without elements is Empty.", [], "qget 2"),
    ops(
      "empty-element",
      "An element of no bytes is one.",
      [],
      "qput 2 ~; qget 2; qget 2; qput 2 ^null; qget 2",
    ),
    ops("bad-memory", "An element that lies nowhere is not there.", [], "qput 2 ^outside; qget 2"),
    ops(
      "asynchronous",
      "The callback comes later, once for each element, though the first took both.",
      [29],
      "qput 2 first; qput 2 second; log 2 both are in",
    ),
    ops(
      "in-order",
      "First in, first out; what was taken at once is gone when the callback comes.",
      [],
      "qput 2 a; qput 2 b; qput 2 c; qget 2; qget 2; qget 2; qget 2",
    ),
    ops(
      "from-another-vm-id",
      "Whoever knows the token may put and take.",
      [29],
      "qres q-vm jobs; qput 2 foreign",
      "o",
    ),
    ops(
      "taken-by-another-vm-id",
      "Another VM takes the element before the registrant is told.",
      [29],
      "qput 2 mine; qget 2",
      "o",
    ),
    ops(
      "on-main",
      "A service on the main thread is told there.",
      [29],
      "qres s-vm on-main; qput 1 for-main; qput 1 again",
      "o",
    ),
    ops(
      "target-moves",
      "The last registrant is told, another VM of the same vm_id.",
      [29],
      "qreg jobs; qput 2 for-m",
      "m",
    ),
    ops(
      "target-has-moved",
      "The first registrant puts, the last is told; the elements stay.",
      [29],
      "qput 2 for-m-too",
    ),
    ops(
      "no-word-of-old-elements",
      "Registering again brings no callback for what is there.",
      [29],
      "qreg jobs",
    ),
    ops("elements-stay", "They are there all the same.", [], "qget 2; qget 2; qget 2"),
    ops("back-again", "And the registrant is told again.", [29], "qput 2 back"),
    ops(
      "of-a-vm-that-fails",
      "A VM registers, and fails.",
      [],
      "qreg doomed; qput $last before; trap",
      "t",
    ),
    ops(
      "registrant-gone",
      "Nobody is told; the elements stay.",
      [29],
      "qres t-vm doomed; qput $last after; qget $last; qget $last; qget $last",
    ),
    ops(
      "a-third-puts",
      "The queue of a vm_id that will leave.",
      [],
      "qres l-vm leaving; qput $last x",
      "o",
    ),
    {
      id: "vm-id-gone",
      what: "With the last VM of its vm_id a queue goes, and its token with it.",
      shows: [],
      run: async (host) => {
        await host.remove("l");
        const script = "request_headers: qres l-vm leaving; qput $last x; qget $last";
        await host.ask({ listener: "o", script });
      },
    },
    {
      id: "vm-id-back",
      what: "Registered again it is empty, and has a new token.",
      shows: [],
      run: async (host) => {
        await host.add("l");
        await host.untilLogged("qreg leaving", 3);
        const script = "request_headers: qres l-vm leaving; qget $last";
        await host.ask({ listener: "o", script });
      },
    },
  ],
};
