/** Searches a row of the tables: every schedule within its bounds, on the real modules. */
import { asyncify } from "../../../host-mock/module/asyncify.ts";
import { loadModule, type LoadedModule } from "../../../host-mock/module/load.ts";
import { envoy } from "../../../host-mock/profiles/envoy.ts";
import { searchExhaustively } from "../../../host-mock/schedule/exhaustive.ts";
import type { SearchResult } from "../../../host-mock/schedule/result.ts";
import type { SearchOptions } from "../../../host-mock/schedule/search-options.ts";
import type { SharedDataRules } from "../../../host-mock/state/shared-data-rules.ts";
import { utf8 } from "../../../host-mock/state/bytes.ts";
import type { StateProperty } from "../../../host-mock/stepping/judge.ts";
import {
  suspensionPoints,
  type SteppedPlugin,
} from "../../../host-mock/stepping/stepped-plugin.ts";
import { SteppedWorld } from "../../../host-mock/stepping/stepped-world.ts";
import { electorGuest, protocolGuest, writerGuest } from "../support/protocols.ts";
import type { FleetRow, PropertyName, Row } from "./rows.ts";

const startWallNs = BigInt(Date.UTC(2026, 0, 1)) * 1_000_000n;
const rules: SharedDataRules = {
  zeroOnPresent: "overwrites",
  otherOnAbsent: "creates",
  firstToken: 1,
  scope: "process",
  evicts: false,
};

export type Guests = Readonly<Record<FleetRow["guest"], LoadedModule>>;

/** The three guests, built and made steppable. */
export async function steppableGuests(): Promise<Guests> {
  const [protocol, writer, elector] = await Promise.all([
    protocolGuest(),
    writerGuest(),
    electorGuest(),
  ]);
  const stepped = (name: string, bytes: Uint8Array) =>
    asyncify(loadModule(bytes, envoy, name), { imports: suspensionPoints });
  return {
    protocol: stepped("protocols", protocol.bytes),
    writer: stepped("writer", writer.bytes),
    elector: stepped("elector", elector.bytes),
  };
}

export function worldOf(
  guests: Guests,
  row: Row,
  properties: readonly PropertyName[],
): SteppedWorld {
  const { ticks, timeSteps = 0, timeStepMs = 16_000 } = row;
  const { crashes = 0, wipes = 0, corruptions = 0, refusals = 0 } = row;
  return new SteppedWorld({
    fleets: row.fleets.map((one, index) => {
      return { plugin: pluginOf(guests, one, index), names: one.vms };
    }),
    profile: envoy,
    rules,
    receivers: row.collector === undefined ? [] : [collector(row.collector)],
    ticks,
    faults: {
      time: timeSteps,
      crash: crashes,
      wipe: wipes,
      refuse: refusals,
      corrupt: corruptions,
    },
    timeStepMs,
    startWallNs,
    keyCountMax: 4,
    hasCanary: true,
    properties: properties.filter((name) => name !== "one_elector"),
    ownProperties: properties.includes("one_elector") ? [oneElector(row)] : [],
  });
}

/** Searches for violations of these properties; the search ends at the first, which is a shortest one. */
export function search(
  guests: Guests,
  row: Row,
  properties: readonly PropertyName[],
  options: SearchOptions = {},
): SearchResult {
  const { preemptions } = row;
  const bound = preemptions === undefined ? {} : { preemptions };
  const world = worldOf(guests, row, properties);
  return searchExhaustively(world, { symmetry: true, ...bound, ...options });
}

function pluginOf(guests: Guests, row: FleetRow, index: number): SteppedPlugin {
  return {
    // Fleets of one name would be taken for alike.
    name: index === 0 ? "p" : `p${index}`,
    rootId: row.rootId ?? "",
    vmId: "",
    configuration: utf8(row.configuration),
    vmConfiguration: new Uint8Array(),
    environment: [],
    witness: row.witness ?? "log",
    module: guests[row.guest],
  };
}

function collector(kind: "unfenced" | "fenced") {
  const [header, idHeader] = ["x-leader-term", "x-leader-id"];
  return { cluster: "collector", header, idHeader, hasFence: kind === "fenced" };
}

/** Never two of the VMs that say themselves when they lead: wasm-go's are left out. */
function oneElector(row: Row): StateProperty {
  const counts = row.fleets.flatMap(({ vms, witness }) => vms.map(() => witness !== "lease"));
  return {
    name: "one_elector",
    holds: (world, state, at) => {
      const now = state[at + world.layout.now]!;
      const leading = counts.filter((isCounted, guest) => {
        const promised = isCounted ? world.localAt(state, at, guest)?.promised : null;
        return promised !== null && promised !== undefined && now < promised.untilMs;
      });
      return leading.length <= 1;
    },
  };
}
