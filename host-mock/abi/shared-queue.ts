/** Source: proxy-wasm-cpp-host `src/exports.cc`, `src/shared_queue.cc`. */
import { latin1, tryUtf8 } from "../state/bytes.ts";
import type { CallSite, HostFunctions } from "./call-site.ts";
import { Status } from "./status.ts";

export const sharedQueueFunctions: HostFunctions = {
  /**
   * Creates or opens the queue of that name in the VM's vm_id; from now on the acting root is told
   * of its elements. InvalidMemoryAccess, for the token's address only after it was registered.
   *
   *     tokenPtr: | u32 token |
   */
  proxy_register_shared_queue(site: CallSite, namePtr: number, nameSize: number, tokenPtr: number) {
    const name = site.memory.readLatin1(namePtr, nameSize);
    if (name === undefined) return Status.InvalidMemoryAccess;
    const { host } = site;
    const target = { owner: host, rootId: site.context().rootId };
    return site.giveU32(host.process.sharedQueues.register(host.vmId, name, target), tokenPtr);
  },

  /** The token of a queue of any vm_id, "" meaning the VM's own. InvalidMemoryAccess; NotFound. */
  proxy_resolve_shared_queue(
    site: CallSite,
    vmIdPtr: number,
    vmIdSize: number,
    namePtr: number,
    nameSize: number,
    tokenPtr: number,
  ) {
    const vmId = site.memory.viewBytes(vmIdPtr, vmIdSize);
    const name = site.memory.readLatin1(namePtr, nameSize);
    if (vmId === undefined || name === undefined) return Status.InvalidMemoryAccess;
    const { host } = site;
    const owner = vmId.length === 0 ? host.vmId : (tryUtf8(vmId) ?? latin1(vmId));
    const token = host.process.sharedQueues.resolve(owner, name);
    return token === undefined ? Status.NotFound : site.giveU32(token, tokenPtr);
  },

  /**
   * Takes the first element. NotFound for an unknown token; Empty; InvalidMemoryAccess, the element
   * is lost then.
   */
  proxy_dequeue_shared_queue(
    site: CallSite,
    token: number,
    valuePtrPtr: number,
    valueSizePtr: number,
  ) {
    const { status, value } = site.host.process.sharedQueues.dequeue(token);
    return value === undefined ? status : site.giveBytes(value, valuePtrPtr, valueSizePtr);
  },

  /** Appends an element. InvalidMemoryAccess; NotFound for an unknown token. */
  proxy_enqueue_shared_queue(site: CallSite, token: number, valuePtr: number, valueSize: number) {
    const value = site.memory.readBytes(valuePtr, valueSize);
    if (value === undefined) return Status.InvalidMemoryAccess;
    return site.host.process.sharedQueues.enqueue(token, value);
  },
};
