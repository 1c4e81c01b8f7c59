/**
 * How VMs and plugin contexts begin and end.
 *
 *     base VM ──▶ canary (thrown away) ──▶ main thread ──▶ each worker
 *
 * Source: proxy-wasm-cpp-host `src/wasm.cc` (createWasm, canary, start, configure, startShutdown, finishShutdown).
 */
import { HostEvent } from "../trace/names.ts";
import { readable } from "../trace/values.ts";
import { PluginHandle } from "./plugin-handle.ts";
import type { Generation, Plugin } from "./plugin.ts";
import { RootContext } from "./root-context.ts";
import type { Thread } from "./thread.ts";
import { Vm } from "./vm.ts";

/** What came of a start: the root, or the last line logged by what refused. */
export type Started =
  | { readonly root: RootContext; readonly isOk: true }
  | { readonly root: RootContext; readonly isOk: false; readonly lastLine: string };

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
  vm.destroy("released");
  return started;
}

/** A plugin on a thread: a new VM unless the thread has one of its group, and a new root in it. */
export function install(thread: Thread, plugin: Plugin, generation: Generation): PluginHandle {
  const vm = thread.vms.get(plugin.group) ?? thread.createVm(plugin);
  const started = startRoot(vm, plugin, generation);
  const loadedNs = thread.world.nowNs;
  if (started.isOk) {
    vm.userCount++;
    return new PluginHandle(plugin, generation, started.root, loadedNs);
  }
  plugin.group.hasFailed = true;
  if (!vm.isDead()) {
    vm.userCount++;
    shutDown(started.root);
  }
  return new PluginHandle(plugin, generation, null, loadedNs);
}

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
    vm.thread.vms.delete(vm.group);
    vm.destroy("released");
  }
}

function startRoot(vm: Vm, plugin: Plugin, generation: Generation): Started {
  const root = new RootContext(vm, vm.nextContextId(), plugin.rootParts(generation));
  vm.contexts.set(root.id, root);
  const { recorder } = vm.thread.world;
  const since = recorder.events.length;
  root.isConfiguring = true;
  vm.call(root, "proxy_on_context_create", [root.id, 0]);
  root.isConfiguring = false;
  const isStarted =
    vm.call(root, "proxy_on_vm_start", [root.id, vm.vmConfiguration.length], 1) !== 0;
  let isOk = isStarted && !vm.isDead();
  if (isOk) {
    root.isConfiguring = true;
    const answer = vm.call(
      root,
      "proxy_on_configure",
      [root.id, generation.configuration.length],
      1,
    );
    root.isConfiguring = false;
    isOk = answer !== 0 && !vm.isDead();
  }
  const lastLine = isOk ? "" : lastLineOf(vm, since);
  if (isOk && vm.kind !== "thread") return { root, isOk };
  recorder.record(
    root,
    "timer",
    HostEvent.contextConfigured,
    {
      root_id: root.parts.rootIdText,
      generation: generation.number,
      configuration: generation.configuration,
    },
    isOk ? "Ok" : "refused",
    isOk ? null : lastLine,
  );
  return isOk ? { root, isOk } : { root, isOk, lastLine };
}

/** The last line this VM logged since an event, "" when it logged nothing. */
function lastLineOf(vm: Vm, since: number): string {
  const { events } = vm.thread.world.recorder;
  for (let at = events.length - 1; at >= since; at--) {
    const event = events[at]!;
    if (event.event !== "log" || event.vm !== vm.name) continue;
    return readable(event.args["message"]);
  }
  return "";
}
