/** Envoy's configuration is JSON. */
export type Json =
  null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

export const types = "type.googleapis.com/";
export const extensions = `${types}envoy.extensions.`;

/** The kernel chooses; a listener that is replaced by one of its name keeps what it got. */
export const anyPort = 0;

export function address(port: number): Json {
  return { socket_address: { address: "127.0.0.1", port_value: port } };
}
