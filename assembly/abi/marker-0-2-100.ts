/** The ABI version of Higress, which keeps the action StopIteration of header callbacks. */
export function proxy_abi_version_0_2_100(): void {}
