/** The server behind all TCP listeners; each connection does what its case says. */
import { createServer } from "node:net";
import type { AddressInfo, Server, Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { ProbeHost } from "../conformance/probe.ts";

export type TcpBehaviour = NonNullable<Parameters<ProbeHost["connect"]>[0]["upstream"]>;

/** A connection as the server sees it. */
export interface TcpArrival {
  received: string;
  hasEnd: boolean;
  /** The client has ended: what has not arrived by now never does. */
  isOver: boolean;
}

const gapMs = 30;

export class TcpServer {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #awaited: { behaviour: TcpBehaviour; arrival: TcpArrival }[] = [];

  static async start(): Promise<TcpServer> {
    const server = new TcpServer();
    await new Promise<void>((resolve, reject) => {
      server.#server.once("error", reject);
      server.#server.listen(0, "127.0.0.1", resolve);
    });
    return server;
  }

  private constructor() {
    this.#server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
      this.#sockets.add(socket);
      socket.on("close", () => this.#sockets.delete(socket));
      socket.on("error", () => undefined);
      const { behaviour, arrival } = this.#next();
      socket.on("end", () => {
        arrival.hasEnd = true;
        void end(socket);
      });
      socket.on("data", (bytes) => {
        arrival.received += bytes.toString("latin1");
        if (behaviour === "echo") socket.write(bytes);
      });
      if (typeof behaviour === "object") void send(socket, behaviour);
    });
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** The next connection does that. */
  await(behaviour: TcpBehaviour): TcpArrival {
    const arrival = { received: "", hasEnd: false, isOver: false };
    this.#awaited.push({ behaviour, arrival });
    return arrival;
  }

  #next(): { behaviour: TcpBehaviour; arrival: TcpArrival } {
    for (;;) {
      const next = this.#awaited.shift() ?? nobody();
      if (!next.arrival.isOver) return next;
    }
  }

  stop(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }
}

function nobody(): { behaviour: TcpBehaviour; arrival: TcpArrival } {
  return { behaviour: "silent", arrival: { received: "", hasEnd: false, isOver: false } };
}

async function send(
  socket: Socket,
  { sends, closes }: Exclude<TcpBehaviour, string>,
): Promise<void> {
  for (const [index, bytes] of sends.entries()) {
    if (index > 0) await sleep(gapMs);
    if (socket.writable) socket.write(bytes, "latin1");
  }
  if (closes === true) await end(socket);
}

/** The end comes by itself, after what was sent: else Envoy would read both at once, or not. */
async function end(socket: Socket): Promise<void> {
  await sleep(gapMs);
  socket.end();
}
