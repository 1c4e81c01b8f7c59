/** Runs of the protocols of test/guests/protocols in the mock Envoy. */
import { beforeAll } from "vitest";
import { MockEnvoy } from "../../../host-mock/index.ts";
import type {
  ConfigurationValue,
  Leadership,
  MockEnvoyOptions,
  PluginOptions,
} from "../../../host-mock/index.ts";
import "../../../host-mock/testing/index.ts";
import { get, set } from "./commands.ts";
import { history, plugin } from "./elections.ts";
import { electorGuest, protocolGuest, writerGuest } from "./protocols.ts";

export const clock = "clock_time_get";
export const wall = "proxy_get_current_time_nanoseconds";

const guests: Record<"protocol" | "writer" | "elector", Uint8Array> = {
  protocol: new Uint8Array(),
  writer: new Uint8Array(),
  elector: new Uint8Array(),
};

/** To be called once in each file. */
export function useProtocols(): void {
  beforeAll(async () => {
    guests.protocol = (await protocolGuest()).bytes;
    guests.writer = (await writerGuest()).bytes;
    guests.elector = (await electorGuest()).bytes;
  });
}

export function candidates(
  configuration: string,
  options: Partial<PluginOptions> = {},
): PluginOptions {
  return { name: plugin, wasm: guests.protocol, configuration, ...options };
}

/** Candidates on main and two workers. */
export function electing(
  configuration: string,
  options: Partial<MockEnvoyOptions> = {},
): MockEnvoy {
  const alsoCalls = [clock, wall, get, set];
  const plugins = [candidates(configuration)];
  return new MockEnvoy({ concurrency: 2, alsoCalls, ...options, plugins }).start();
}

export function leaders(envoy: MockEnvoy): string[] {
  const { nowMs } = envoy;
  const isRunning = ({ untilNs, end }: Leadership) => untilNs >= nowMs * 1e6 && end === "running";
  return history(envoy)
    .filter(isRunning)
    .map(({ thread }) => thread);
}

/** Names of the host calls of a thread's last tick. */
export function callsOfLastTick(envoy: MockEnvoy, thread: string): string[] {
  const calls = envoy.trace.filter((event) => event.event === "call" && event.thread === thread);
  return calls.filter(({ atNs }) => atNs === calls.at(-1)?.atNs).map(({ name }) => name);
}

/** Three VMs whose timers are far away: the test says who ticks, and when. */
export function still(configuration: string): MockEnvoy {
  return electing(`${configuration} period=3600000`);
}

export function tick(envoy: MockEnvoy, thread: string): void {
  envoy.thread(thread).tick(plugin);
}

/** Runs this inside the loop, so that one thread's tick may stand in another's. */
export function now(envoy: MockEnvoy, run: () => void): void {
  envoy.at(`${envoy.nowMs + 1}ms`, run);
  envoy.advance("1ms");
}

/** The first worker's tick, and something in it before that call. */
export function interposed(envoy: MockEnvoy, call: string, meanwhile: () => void): void {
  now(envoy, () => {
    envoy.thread("worker_0").interpose({ call, run: meanwhile });
    tick(envoy, "worker_0");
  });
}

/** A writer of the cell `cell`, a plugin of its own. */
export function cellWriter(name: string, configuration: string): PluginOptions {
  return { name, wasm: guests.writer, configuration, vmConfiguration: name };
}

/** The published SDK's elector on main and two workers. */
export function publishedElector(
  rootId: string,
  configuration: ConfigurationValue = {},
): MockEnvoy {
  const plugins = [{ name: plugin, wasm: guests.elector, rootId, configuration }];
  const clusters = { collector: { status: 204 } };
  return new MockEnvoy({ concurrency: 2, clusters, plugins }).start();
}
