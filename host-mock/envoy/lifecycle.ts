/**
 * How VMs and plugin contexts begin and end.
 *
 *     base VM ──▶ canary (thrown away) ──▶ main thread ──▶ each worker
 *
 * Source: proxy-wasm-cpp-host `src/wasm.cc` (createWasm, canary, start, configure, startShutdown, finishShutdown).
 */
import { HostEvent } from "../trace/names.ts";
import { latin1 } from "../state/bytes.ts";
import { readable } from "../trace/values.ts";
import { PluginHandle } from "./plugin-handle.ts";
import type { Generation, Plugin } from "./plugin.ts";
import { RootContext } from "./root-context.ts";
import type { Thread } from "./thread.ts";
import { Vm } from "./vm.ts";

/** What came of a start: the root, or the last line logged by what refused. */
export type Started =
  | { readonly root: RootContext; readonly isOk: true }
  | {
      readonly root: RootContext;
      readonly isOk: false;
      readonly lastLine: string;
      readonly step: Step;
    };

/** What a plugin does when it starts. */
type Step = "start" | "configure";

/** The template: it runs its start function and nothing else, ever. */
export function requireBase(main: Thread, plugin: Plugin): Vm {
  const { group } = plugin;
  group.base ??= new Vm({
    kind: "base",
    group,
    thread: main,
    name: "main#base",
    identity: ["main", group.label, "base"],
    founder: plugin.name,
  });
  return group.base;
}

/** Plugin and configuration, as its VM group remembers canaries by. */
export function canaryKey(plugin: Plugin, { configuration }: Generation): string {
  return `${plugin.name} ${latin1(configuration)}`;
}

/** Tries a configuration in a VM that is thrown away without on_done; what it did to shared state stays. */
export function runCanary(main: Thread, plugin: Plugin, generation: Generation): Started {
  const vm = new Vm({
    kind: "canary",
    group: plugin.group,
    thread: main,
    name: "main#canary",
    identity: ["main", plugin.name, "canary", String(generation.number)],
    founder: plugin.name,
  });
  const started = startRoot(vm, plugin, generation);
  if (!started.isOk) vm.say("error", canaryFailures[started.step], started.root);
  vm.destroy("released");
  plugin.group.canaries.set(canaryKey(plugin, generation), started.isOk ? null : started.lastLine);
  return started;
}

/** A plugin on a thread: a new VM unless the thread has one of its group, and a new root in it. */
export function install(thread: Thread, plugin: Plugin, generation: Generation): PluginHandle {
  const vm = thread.vms.get(plugin.group) ?? thread.createVm(plugin);
  const started = startRoot(vm, plugin, generation);
  const loadedNs = thread.world.nowNs;
  if (!thread.alive) return new PluginHandle(plugin, generation, null, loadedNs);
  if (started.isOk) {
    vm.userCount++;
    return new PluginHandle(plugin, generation, started.root, loadedNs);
  }
  plugin.group.hasFailed = true;
  vm.say("error", threadFailures[started.step], started.root);
  if (!vm.isDead()) {
    vm.userCount++;
    shutDown(started.root);
  }
  return new PluginHandle(plugin, generation, null, loadedNs);
}

/** Envoy's words for a plugin that its canary refuses. */
const canaryFailures: Readonly<Record<Step, string>> = {
  start: "Wasm VM failed Failed to start base Wasm",
  configure: "Wasm VM failed Failed to configure base Wasm plugin",
};

/** Envoy's words for a plugin that fails on a thread though the canary has passed. */
const threadFailures: Readonly<Record<Step, string>> = {
  start: "Wasm VM failed Failed to start thread-local Wasm",
  configure: "Wasm VM failed Failed to configure thread-local Wasm plugin",
};

/** The handle is no longer used on this thread; its root ends now, or after the last stream that holds it. */
export function release(handle: PluginHandle): void {
  const { root } = handle;
  if (root === null) return;
  if (handle.streamCount > 0) handle.onIdle = () => shutDown(root);
  else shutDown(root);
}

/**
 * on_done and what follows: on_delete at once; or, answered 0, the root is parked until proxy_done while the VM has
 * another user, and goes with the VM when it was the last.
 */
function shutDown(root: RootContext): void {
  const vm = root.owner;
  vm.userCount--;
  if (vm.isDead()) return;
  const answer = vm.call(root, "proxy_on_done", [root.id], 1);
  vm.thread.world.recorder.record(root, "timer", HostEvent.contextDone, {});
  if (vm.isDead()) return;
  if (answer !== 0) vm.deleteRoot(root);
  else root.isParked = true;
  if (vm.userCount === 0 && !vm.isDead()) {
    if (vm.thread.vms.get(vm.group) === vm) vm.thread.vms.delete(vm.group);
    vm.destroy("released");
  }
}

function startRoot(vm: Vm, plugin: Plugin, generation: Generation): Started {
  const root = new RootContext(vm, vm.nextContextId(), plugin.rootParts(generation));
  vm.contexts.set(root.id, root);
  const { recorder } = vm.thread.world;
  const since = recorder.events.length;
  const hasStarted = !vm.isDead();
  root.isConfiguring = true;
  vm.call(root, "proxy_on_context_create", [root.id, 0]);
  root.isConfiguring = false;
  // A trap in proxy_on_context_create or in the allocator goes unnoticed here: only answers count.
  let isOk = hasStarted && onVmStart(vm, root) !== 0;
  const step = isOk ? "configure" : "start";
  if (isOk && !vm.isDead()) {
    root.isConfiguring = true;
    const answer = vm.call(
      root,
      "proxy_on_configure",
      [root.id, generation.configuration.length],
      1,
    );
    root.isConfiguring = false;
    isOk = answer !== 0;
  }
  // The thread crashed in the middle of it, which is nobody's refusal.
  if (vm.whyDead === "crashed") return { root, isOk: false, lastLine: "", step };
  const isConfigured = isOk && !vm.isDead();
  const lastLine = isConfigured ? "" : lastLineOf(vm, since);
  if (isOk && vm.kind !== "thread") return { root, isOk };
  recorder.record(
    root,
    "timer",
    HostEvent.contextConfigured,
    {
      root_id: root.parts.rootIdText,
      vm_id: vm.vmId,
      generation: generation.number,
      configuration: generation.configuration,
    },
    isConfigured ? "Ok" : "refused",
    isConfigured ? null : lastLine,
  );
  return isOk ? { root, isOk } : { root, isOk, lastLine, step };
}

/** Called even where proxy_on_context_create has just trapped. Without it: 1. */
function onVmStart(vm: Vm, root: RootContext): number {
  if (!vm.instance.has("proxy_on_vm_start")) return 1;
  return vm.callAnyway(root, "proxy_on_vm_start", [root.id, vm.vmConfiguration.length]);
}

/** The last line this VM logged since an event, "" when it logged nothing. */
export function lastLineOf(vm: Vm, since = 0): string {
  const { events } = vm.thread.world.recorder;
  for (let at = events.length - 1; at >= since; at--) {
    const event = events[at]!;
    if (event.event !== "log" || event.vm !== vm.name) continue;
    return readable(event.args["message"]);
  }
  return "";
}
