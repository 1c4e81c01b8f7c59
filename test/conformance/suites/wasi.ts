/** WASI errno by errno, under both of its names: the calls are those of the guest `probe-wasi`. */
import type { BuildOptions } from "../../support/build-guest.ts";
import type { ProbeCase, ProbeSuite } from "../probe.ts";

const guest: BuildOptions = {
  entry: "test/guests/probe-wasi/plugin.guest.ts",
  config: false,
  args: ["-O3", "--runtime", "incremental", "--exportStart", "_initialize", "--use", "abort="],
};

function group(
  id: string,
  what: string,
  shows: readonly number[] = [],
  listener = "one",
): ProbeCase {
  return {
    id,
    what,
    shows,
    run: async (host) => void (await host.ask({ listener, path: `/${id}` })),
  };
}

export const suite: ProbeSuite = {
  name: "wasi",
  what: "Every WASI function: what it answers, writes and logs.",
  plugins: [
    { name: "W", guest, environment: { SOME_KEY: "some value" } },
    { name: "N", guest, vmId: "bare" },
  ],
  listeners: [
    { name: "one", plugins: ["W"], directResponse: { status: 200, body: "ok" } },
    { name: "bare", plugins: ["N"], directResponse: { status: 200, body: "ok" } },
  ],
  cases: [
    group("descriptors", "Descriptor 1 is a line at info, 2 at error, no other is one.", [38]),
    group("line-ends", "One line end at the end is no part of the line, and counts.", [38]),
    group("pieces", "All pieces of a call are one line.", [38]),
    group("bad-memory", "fd_write with pieces, vectors and counts where no memory is."),
    group("positioned", "fd_pwrite is fd_write."),
    group("files", "Calls with a descriptor and a room."),
    group("numbers", "Calls with a descriptor and numbers."),
    group("lists", "Calls that read or list."),
    group("names", "Calls with a path, path_link and path_symlink in the host's form."),
    group("memory-of-files", "What files and paths say to addresses where no memory is."),
    group("sockets", "There are no sockets."),
    group("memory-of-sockets", "What sockets say to addresses where no memory is."),
    group("environment", "One variable: its size is two more than its letters."),
    group("no-environment", "Arguments and variables of a VM without any.", [], "bare"),
    group("clocks", "There are two clocks."),
    group("randomness", "Up to 65536 random bytes a call."),
    group("leaving", "Waiting does not wait, and leaving returns.", [37]),
  ],
};
