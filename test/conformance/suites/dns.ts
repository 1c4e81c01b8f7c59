/** Envoy's own call `envoy_resolve_dns`, as far as it answers alike on every machine. */
import type { ProbeSuite } from "../probe.ts";

export const suite: ProbeSuite = {
  name: "dns",
  what: "Names resolved with envoy_resolve_dns.",
  plugins: [
    { name: "A" },
    { name: "B", vmId: "b", configuration: "dns: get 8 0 100" },
    {
      name: "C",
      vmId: "c",
      configuration: "dns: get 8 0 100; effective $stream; continue 0",
    },
  ],
  cases: [
    {
      id: "addresses",
      what: "An address is its own answer, which comes before the call returns; tokens begin with 2.",
      shows: [26],
      run: async (host) => {
        await host.ask({
          script: { A: "request_headers: dns 127.0.0.1; dns ::1; dns 10.20.30.40" },
        });
      },
    },
    {
      id: "form-of-an-answer",
      what: "An answer is call data: a count, times to live, addresses with a port, each with a NUL behind it.",
      run: async (host) => {
        await host.ask({ script: { B: "request_headers: dns 10.20.30.40; get 8 0 100" } });
      },
    },
    {
      id: "no-name",
      what: "A name that there is not has no addresses: a later callback with a count of 0.",
      run: async (host) => {
        await host.ask({ script: { C: "request_headers: dns ~; return 1" } });
      },
    },
    {
      id: "memory",
      what: "A range outside of the memory.",
      run: async (host) => {
        await host.ask({ script: { A: "request_headers: dns ^outside; dns 127.0.0.1" } });
      },
    },
  ],
};
