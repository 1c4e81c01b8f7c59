/** What plugins can stand in a listener, and which listener an event may name. */
import { didYouMean } from "../did-you-mean.ts";
import { defaultListener } from "../http/listener-options.ts";
import { problem } from "./names.ts";
import type { EventOf } from "./schema/events.ts";
import type { Frame } from "./schema/frame.ts";
import type { Path, Problem } from "./source.ts";

const kindsOfRequests: readonly string[] = ["http", "access_log"];

export function listenerRules(frame: Frame): Problem[] {
  return [
    ...Object.entries(frame.listeners ?? {}).flatMap(([name, { plugins = [] }]) =>
      chainRules(plugins, ["listeners", name, "plugins"], frame),
    ),
    ...frame.events.flatMap((event, index) =>
      event.do === "request" || event.do === "connect"
        ? eventRules(event, ["events", index], frame)
        : [],
    ),
  ];
}

function chainRules(chain: readonly string[], path: Path, frame: Frame): Problem[] {
  const kindOf = (name: string) => frame.plugins.find((plugin) => plugin.name === name)?.kind;
  const isForConnections = chain.some((name) => kindOf(name) === "network");
  return chain.flatMap((name, index) => {
    const at = [...path, index];
    const kind = kindOf(name);
    if (kind === undefined) {
      const known = frame.plugins.map((plugin) => plugin.name);
      return [problem(at, `there is no plugin ${JSON.stringify(name)}`, didYouMean(name, known))];
    }
    if (chain.indexOf(name) < index) {
      const what = `plugin ${name} is named twice`;
      return [problem(at, what, "name each plugin once, in the order of the chain")];
    }
    if (kind !== "network" && !kindsOfRequests.includes(kind)) {
      const what = `plugin ${name} is of kind ${kind}, which no listener has`;
      return [problem(at, what, "leave it out, or give it kind: http")];
    }
    if (kind === "network" || !isForConnections) return [];
    const what = `plugin ${name} is of kind ${kind} and stands beside plugins of kind network`;
    return [problem(at, what, "give connections and requests a listener each")];
  });
}

function eventRules(
  event: EventOf<"request"> | EventOf<"connect">,
  path: Path,
  frame: Frame,
): Problem[] {
  const known = event.do === "connect" ? networkListeners(frame) : listenerNames(frame);
  if (event.listener === undefined) {
    if (event.do === "request" || known.length < 2) return [];
    const what = "the connection names no listener, and there are several";
    return [problem(path, what, `add listener: with one of ${known.join(", ")}`)];
  }
  if (known.includes(event.listener)) return [];
  const kind = event.do === "connect" ? "listener of network plugins" : "listener";
  const what = `there is no ${kind} ${JSON.stringify(event.listener)}`;
  return [problem([...path, "listener"], what, didYouMean(event.listener, known))];
}

function listenerNames({ listeners }: Frame): string[] {
  return listeners === undefined ? [defaultListener] : Object.keys(listeners);
}

/** Those with a plugin of kind network; the host has one with all of them where the file has none. */
function networkListeners({ listeners = {}, plugins }: Frame): string[] {
  const network = plugins.filter(({ kind }) => kind === "network").map(({ name }) => name);
  const found = Object.entries(listeners)
    .filter(([, { plugins: chain = [] }]) => chain.some((name) => network.includes(name)))
    .map(([name]) => name);
  return found.length === 0 ? [defaultListener] : found;
}
