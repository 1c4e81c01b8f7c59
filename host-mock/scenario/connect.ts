import type { MockEnvoy } from "../envoy/mock-envoy.ts";
import type { Thread } from "../envoy/thread.ts";
import type { ConnectOptions } from "../tcp/connection-options.ts";
import type { TcpConnection } from "../tcp/tcp-connection.ts";
import type { EventOf } from "./schema/events.ts";

/** Makes a connection of the file, and lets its client send, one part each gap, and end. Its id. */
export function openConnection(
  envoy: MockEnvoy,
  thread: Thread,
  event: EventOf<"connect">,
): number {
  const connection = thread.connect(connectOptions(event));
  const steps: ((to: TcpConnection) => void)[] = event.send.map((bytes) => (to) => to.send(bytes));
  if (event.finish) steps.push((to) => to.finish());
  if (event.abandon) steps.push((to) => to.abandon());
  for (const [index, step] of steps.entries()) {
    // A connection that Envoy has closed takes nothing more.
    const run = (): void => {
      if (!connection.isClosed) step(connection);
    };
    envoy.scheduleAt(envoy.nowNs + index * event.gap, run);
  }
  return connection.id;
}

function connectOptions({ listener, upstream }: EventOf<"connect">): ConnectOptions {
  const where = listener === undefined ? {} : { listener };
  if (upstream === undefined || typeof upstream === "string")
    return { ...where, upstream: upstream ?? "silent" };
  const { sends, gap, echoes, closes, lingers, delay } = upstream;
  return {
    ...where,
    upstream: {
      sends,
      echoes,
      closes,
      lingers,
      gap: `${gap}ns`,
      delay: `${delay}ns`,
    },
  };
}
