import { requireFlag, requireKeys, requireRecord, requireText } from "../did-you-mean.ts";
import { MockHostError } from "../errors.ts";

/** A host of an upstream cluster as Higress shows it to plugins: a text as it stands, or what its JSON says. */
export type UpstreamHost =
  | string
  | {
      /** `health_status` "Healthy" (default) or "Unhealthy". */
      readonly isHealthy?: boolean;
      /** `metrics`: what the host's metrics page said last. */
      readonly metrics?: string;
    };

/** Hosts by address `IP:PORT`, by cluster. */
export type UpstreamHosts = Readonly<Record<string, Readonly<Record<string, UpstreamHost>>>>;

/** Address and text of each host of a cluster, in the order of their declaration. */
export type HostList = readonly (readonly [address: string, text: string])[];

/** E_OPTION for an address that is none, or for what is not of these types. */
export function resolveHosts(hosts: UpstreamHosts | undefined): ReadonlyMap<string, HostList> {
  if (hosts === undefined) return new Map();
  requireRecord("upstreamHosts", hosts, "give an object of clusters by name");
  return new Map(
    Object.entries(hosts).map(([cluster, byAddress]) => {
      requireRecord(`upstreamHosts of ${cluster}`, byAddress, "give an object of hosts by address");
      const list = Object.entries(byAddress).map(([address, host]) => {
        requireAddress(cluster, address);
        return [address, textOf(`upstreamHosts of ${cluster}: ${address}`, host)] as const;
      });
      return [cluster, list];
    }),
  );
}

function requireAddress(cluster: string, address: string): void {
  if (/^(?:\d{1,3}(?:\.\d{1,3}){3}|\[[\da-f:]+\]):\d{1,5}$/i.test(address)) return;
  const what = `upstreamHosts of ${cluster}: ${JSON.stringify(address)} is no address`;
  throw new MockHostError("E_OPTION", what, { remedy: "write IP:PORT" });
}

function textOf(called: string, host: UpstreamHost): string {
  if (typeof host === "string") return host;
  requireKeys(called, host, ["isHealthy", "metrics"]);
  const { isHealthy = true, metrics = "" } = host;
  requireFlag(`${called}: isHealthy`, isHealthy);
  requireText(`${called}: metrics`, metrics);
  return JSON.stringify({ health_status: isHealthy ? "Healthy" : "Unhealthy", metrics });
}
