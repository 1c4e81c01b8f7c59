/**
 * The host finds the version of the ABI by this name; it is never called. Envoy, Istio and Higress.
 */
export function proxy_abi_version_0_2_1(): void {}
