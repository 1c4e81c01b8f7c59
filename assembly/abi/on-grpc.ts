import { enterRoot, leave } from "./dispatch";

export function proxy_on_grpc_receive_initial_metadata(rootId: u32, token: u32, count: u32): void {
  const root = enterRoot(rootId);
  if (root !== null) {
    const slot = root.registration.slots.grpcInitialMetadata;
    if (slot !== null) slot(root, token, count);
  }
  leave();
}

export function proxy_on_grpc_receive(rootId: u32, token: u32, size: u32): void {
  const root = enterRoot(rootId);
  if (root !== null) {
    const slot = root.registration.slots.grpcReceive;
    if (slot !== null) slot(root, token, size);
  }
  leave();
}

export function proxy_on_grpc_receive_trailing_metadata(rootId: u32, token: u32, count: u32): void {
  const root = enterRoot(rootId);
  if (root !== null) {
    const slot = root.registration.slots.grpcTrailingMetadata;
    if (slot !== null) slot(root, token, count);
  }
  leave();
}

export function proxy_on_grpc_close(rootId: u32, token: u32, grpcStatus: i32): void {
  const root = enterRoot(rootId);
  if (root !== null) {
    const slot = root.registration.slots.grpcClose;
    if (slot !== null) slot(root, token, grpcStatus);
  }
  leave();
}
