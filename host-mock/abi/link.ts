/**
 * The import object of a VM. One closure an imported function, and only for those the module
 * imports: a process may hold ten thousand VMs.
 */
import { MockHostError } from "../errors.ts";
import { RestrictedCallback } from "../vm/trap.ts";
import { bufferFunctions } from "./buffers.ts";
import { callShape, type CallShape } from "./call-ring.ts";
import { CallSite, type HostFunction, type HostFunctions, type LinkProfile } from "./call-site.ts";
import { restrictsImport, type Capabilities } from "./capabilities.ts";
import { configurationFunctions } from "./configuration.ts";
import { contextFunctions } from "./context.ts";
import { dnsFunctions } from "./dns.ts";
import type { AbiVersion } from "./enums.ts";
import { foreignFunctions } from "./foreign.ts";
import { grpcFunctions } from "./grpc.ts";
import { headerMapFunctions } from "./header-maps.ts";
import { higressFunctions } from "./higress.ts";
import { httpCallFunctions } from "./http-call.ts";
import { importedMemory, importedTable } from "./imported-storage.ts";
import { logFunctions } from "./log.ts";
import { metricsFunctions } from "./metrics.ts";
import { propertyFunctions } from "./properties.ts";
import { restrictedFunction } from "./restricted.ts";
import { sharedDataFunctions } from "./shared-data.ts";
import { sharedQueueFunctions } from "./shared-queue.ts";
import { findHostFunction, type HostGroup, type HostSignature } from "./signatures.ts";
import { streamFunctions } from "./streams.ts";
import { timeFunctions } from "./time.ts";
import { toolchainFunctions } from "./toolchain.ts";
import { recordCall } from "./trace-call.ts";
import type { VmHost } from "./vm-host.ts";
import { wasiFunctions } from "./wasi.ts";
import type { WasmImport, WasmImports } from "./wasm-api.ts";
import type { ImportEntry } from "./wasm-types.ts";

/** What linking needs of a module; `LoadedModule` fits. */
export interface Linkable {
  readonly abi: AbiVersion;
  readonly imports: readonly ImportEntry[];
}

const envFunctions: HostFunctions = {
  ...logFunctions,
  ...timeFunctions,
  ...configurationFunctions,
  ...contextFunctions,
  ...sharedDataFunctions,
  ...sharedQueueFunctions,
  ...metricsFunctions,
  ...propertyFunctions,
  ...bufferFunctions,
  ...headerMapFunctions,
  ...streamFunctions,
  ...httpCallFunctions,
  ...grpcFunctions,
  ...foreignFunctions,
  ...dnsFunctions,
  ...toolchainFunctions,
  ...higressFunctions,
};

/** The implementation of a signature; every signature has one. */
export function hostFunction(signature: HostSignature): HostFunction {
  const functions = signature.module === "env" ? envFunctions : wasiFunctions;
  const found = functions[signature.name];
  if (found === undefined)
    throw new MockHostError("E_INTERNAL", `${signature.name} is declared but not there`);
  return found;
}

/**
 * Functions, memories and tables for one instance of the module. `vm` is asked at the first call.
 * What `allowed` does not name is linked to a function that only refuses.
 * E_INTERNAL for an import the profile lacks: `loadModule` refuses such modules.
 */
export function linkImports(
  loaded: Linkable,
  profile: LinkProfile & { readonly groups: ReadonlySet<HostGroup> },
  vm: () => VmHost,
  allowed?: Capabilities,
): WasmImports {
  const site = new CallSite(loaded.abi, profile, vm);
  const imports: Record<string, Record<string, WasmImport>> = {};
  for (const { entry, shape, run } of plan(loaded, profile.groups)) {
    const names = (imports[entry.module] ??= {});
    if (run !== undefined) {
      const isRestricted = restrictsImport(allowed, shape.signature);
      const does = isRestricted ? (restrictedFunction(shape.signature) as Run) : run;
      names[entry.name] ??= linked(site, shape, does);
    } else if (entry.kind === "memory") names[entry.name] = importedMemory(entry);
    else names[entry.name] = importedTable(entry);
  }
  return imports;
}

/** What an import stands for; a memory or table where there is no function. */
type Planned =
  | { readonly entry: ImportEntry; readonly shape: CallShape; readonly run: Run }
  | { readonly entry: ImportEntry; readonly shape?: undefined; readonly run?: undefined };

interface Plan {
  readonly groups: ReadonlySet<HostGroup>;
  readonly imports: readonly Planned[];
}

/** Looked up once for all VMs of a module. */
const plans = new WeakMap<readonly ImportEntry[], Plan>();

function plan({ abi, imports }: Linkable, groups: ReadonlySet<HostGroup>): readonly Planned[] {
  const known = plans.get(imports);
  if (known !== undefined && known.groups === groups) return known.imports;
  const made = imports.map((entry): Planned => {
    if (entry.kind === "memory" || entry.kind === "table") return { entry };
    const signature = entry.kind === "function" ? findHostFunction(entry, abi, groups) : undefined;
    if (signature !== undefined) {
      return { entry, shape: callShape(signature), run: hostFunction(signature) as Run };
    }
    const name = `${entry.module}.${entry.name}`;
    throw new MockHostError("E_INTERNAL", `no host function for import ${name}`);
  });
  plans.set(imports, { groups, imports: made });
  return made;
}

type Raw = number | bigint;
type Run = (site: CallSite, ...args: readonly Raw[]) => number;

/** i32 arguments arrive signed: a size of 0xffffffff as −1. */
function unsigned(raw: Raw): Raw {
  return typeof raw === "bigint" ? raw : raw >>> 0;
}

/**
 * What comes before each call: whether it is allowed here, its cost, and a fault that answers in
 * its place.
 */
function before(site: CallSite, signature: HostSignature): number | undefined {
  const { process, instance, rules } = site.host;
  if (instance.phase !== "callback") requireAllowed(site, signature, instance.phase);
  process.recorder.hostCallCount++;
  if (process.callCostNs !== 0) process.clock.addCost(process.callCostNs);
  if (rules.length === 0) return undefined;
  for (let at = 0; at < rules.length;) {
    const rule = rules[at]!;
    const answer = rule.answer(signature.name, site.host);
    if (answer !== undefined) return answer;
    // A rule whose time is over leaves the list when asked.
    if (rules[at] === rule) at++;
  }
  return undefined;
}

function requireAllowed(site: CallSite, signature: HostSignature, phase: string): void {
  const isRestricted =
    (phase === "start" && !signature.inStart) ||
    (phase === "allocator" && site.profile.restrictsAllocator && !signature.inAllocator);
  if (isRestricted) throw new RestrictedCallback(signature.name);
}

function wants(site: CallSite, signature: HostSignature): boolean {
  return site.host.process.recorder.wantsCall(signature.name);
}

/**
 * A closure of the import's own number of arguments, so that nothing is allocated for a call of up
 * to five.
 */
function linked(site: CallSite, shape: CallShape, run: Run): WasmImport {
  const { signature } = shape;
  switch (signature.type.params.length) {
    case 0:
      return () => {
        const call = site.calls.begin(shape, site.memory, 0, 0, 0, 0, 0);
        const status = before(site, signature) ?? run(site);
        site.calls.end(call, status);
        if (wants(site, signature)) recordCall(site, signature, status, []);
        return status;
      };
    case 1:
      return (a: Raw) => {
        const call = site.calls.begin(shape, site.memory, a, 0, 0, 0, 0);
        const status = before(site, signature) ?? run(site, unsigned(a));
        site.calls.end(call, status);
        if (wants(site, signature)) recordCall(site, signature, status, [unsigned(a)]);
        return status;
      };
    case 2:
      return (a: Raw, b: Raw) => {
        const call = site.calls.begin(shape, site.memory, a, b, 0, 0, 0);
        const status = before(site, signature) ?? run(site, unsigned(a), unsigned(b));
        site.calls.end(call, status);
        if (wants(site, signature)) recordCall(site, signature, status, [a, b].map(unsigned));
        return status;
      };
    case 3:
      return (a: Raw, b: Raw, c: Raw) => {
        const call = site.calls.begin(shape, site.memory, a, b, c, 0, 0);
        const status = before(site, signature) ?? run(site, unsigned(a), unsigned(b), unsigned(c));
        site.calls.end(call, status);
        if (wants(site, signature)) recordCall(site, signature, status, [a, b, c].map(unsigned));
        return status;
      };
    case 4:
      return (a: Raw, b: Raw, c: Raw, d: Raw) => {
        const call = site.calls.begin(shape, site.memory, a, b, c, d, 0);
        const status =
          before(site, signature) ?? run(site, unsigned(a), unsigned(b), unsigned(c), unsigned(d));
        site.calls.end(call, status);
        if (wants(site, signature)) recordCall(site, signature, status, [a, b, c, d].map(unsigned));
        return status;
      };
    default:
      return signature.type.params.length === 5
        ? linkedFive(site, shape, run)
        : linkedMany(site, shape, run);
  }
}

function linkedFive(site: CallSite, shape: CallShape, run: Run): WasmImport {
  const { signature } = shape;
  return (a: Raw, b: Raw, c: Raw, d: Raw, e: Raw) => {
    const call = site.calls.begin(shape, site.memory, a, b, c, d, e);
    const status =
      before(site, signature) ??
      run(site, unsigned(a), unsigned(b), unsigned(c), unsigned(d), unsigned(e));
    site.calls.end(call, status);
    if (wants(site, signature)) recordCall(site, signature, status, [a, b, c, d, e].map(unsigned));
    return status;
  };
}

function linkedMany(site: CallSite, shape: CallShape, run: Run): WasmImport {
  const { signature } = shape;
  return (...raw: readonly Raw[]) => {
    const call = site.calls.beginMany(shape, site.memory, raw);
    const args = raw.map(unsigned);
    const status = before(site, signature) ?? run(site, ...args);
    site.calls.end(call, status);
    if (wants(site, signature)) recordCall(site, signature, status, args);
    return status;
  };
}
