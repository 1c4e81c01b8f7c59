/** How a client's TCP connection comes to a thread, and which filters it finds there. */
import { unknownName } from "../did-you-mean.ts";
import { MockHostError } from "../errors.ts";
import { defaultListener, type ResolvedListener } from "../http/listener-options.ts";
import { defaultRoute, type RouteNames } from "../http/stream-info.ts";
import { Connection } from "../tcp/connection.ts";
import { requireConnection, type ConnectOptions } from "../tcp/connection-options.ts";
import { RefusingTcpFilter } from "../tcp/refusing-filter.ts";
import type { TcpConnection } from "../tcp/tcp-connection.ts";
import type { TcpFilter } from "../tcp/tcp-filter.ts";
import { EventClass } from "../time/event-queue.ts";
import { placeFor } from "./failure-policy.ts";
import type { EnvoyProcess } from "./process.ts";
import { TcpContext } from "./tcp-context.ts";
import type { Thread } from "./thread.ts";
import { ThreadEvent } from "./thread-event.ts";

type TcpListener = Pick<
  ResolvedListener,
  "name" | "plugins" | "bufferLimitBytes" | "filterChainName" | "clusterName" | "direction"
>;

/** E_STATE on the main thread, E_UNKNOWN_NAME for a listener that does not exist, E_OPTION for wrong options. */
export function connectClient(thread: Thread, options: ConnectOptions): TcpConnection {
  if (thread.isMain) {
    throw new MockHostError("E_STATE", "the main thread takes no connections", {
      remedy: "use worker_0",
    });
  }
  requireConnection(options);
  const { world } = thread;
  const listener = tcpListener(world, options.listener);
  world.open();
  if (!world.loop.isRunning) world.start();
  const connection = new Connection({
    id: world.connections.nextId(),
    listener: listener.name,
    lane: thread,
    scheduler: world,
    recorder: world.recorder,
    options,
    limitBytes: listener.bufferLimitBytes,
    route: routeOf(listener),
    wallClock: world.clock,
    settle: () => world.settleUnlessRunning(EventClass.answer),
  });
  world.connections.add(connection);
  if (world.hasRefused) {
    connection.close();
    return connection;
  }
  const begin = () => connection.begin(filtersOf(thread, listener, connection));
  const arrival = new ThreadEvent(thread, EventClass.answer, () => thread.whenUp(begin));
  if (thread.isPaused || thread.waiting.has(EventClass.answer))
    world.schedule(arrival, world.nowNs);
  else arrival.run();
  world.settleUnlessRunning(EventClass.answer);
  return connection;
}

/** The listener of that name, or the only one. Where none names network plugins there is one with all of them. */
function tcpListener(world: EnvoyProcess, name: string | undefined): TcpListener {
  const network = world.plugins.filter(({ spec }) => spec.kind === "network").map(namesOf);
  if (network.length === 0) {
    throw new MockHostError("E_STATE", "there is no plugin for connections", {
      remedy: 'give a plugin kind: "network"',
    });
  }
  const listeners: TcpListener[] = [...world.listeners.values()].filter(({ plugins }) =>
    plugins.some((plugin) => network.includes(plugin)),
  );
  if (listeners.length === 0) listeners.push(defaultTcpListener(network));
  const names = listeners.map(namesOf);
  if (name === undefined && listeners.length > 1) {
    throw new MockHostError("E_OPTION", "the connection names no listener, and there are several", {
      remedy: `name one of ${names.join(", ")}`,
    });
  }
  const found = name === undefined ? listeners[0] : listeners[names.indexOf(name)];
  if (found === undefined) throw unknownName("listener of network plugins", name ?? "", names);
  const stranger = found.plugins.find((plugin) => !network.includes(plugin));
  if (stranger === undefined) return found;
  throw new MockHostError(
    "E_OPTION",
    `listener ${found.name} has ${stranger} among its network plugins`,
    {
      remedy: "give connections and requests a listener each",
    },
  );
}

function namesOf({ name }: { readonly name: string }): string {
  return name;
}

function defaultTcpListener(plugins: readonly string[]): TcpListener {
  return {
    name: defaultListener,
    plugins,
    bufferLimitBytes: 1024 * 1024,
    filterChainName: "",
    clusterName: defaultRoute.cluster ?? "",
    direction: "unspecified",
  };
}

/** A connection has no route of its own. */
function routeOf({ filterChainName, clusterName, direction }: TcpListener): RouteNames {
  return {
    route: undefined,
    virtualHost: undefined,
    filterChain: filterChainName,
    cluster: clusterName,
    direction: ["unspecified", "inbound", "outbound"].indexOf(direction),
  };
}

function filtersOf(thread: Thread, listener: TcpListener, connection: Connection): TcpFilter[] {
  const filters: TcpFilter[] = [];
  for (const name of listener.plugins) {
    const place = placeFor(thread, thread.world.plugin(name));
    if (place === "left_out") continue;
    if (place === "refusing") filters.push(new RefusingTcpFilter(connection));
    else filters.push(new TcpContext(place.handle, place.root, connection));
  }
  return filters;
}
