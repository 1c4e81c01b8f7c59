/** One HTTP request, one connection: Envoy's kernel spreads connections, and so requests, over its workers. */
import { request } from "node:http";

export interface Answer {
  readonly status: number;
  /** Names in lower case; several values of a name are joined by ", ". */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export function get(port: number, path: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const target = {
      host: "127.0.0.1",
      port,
      path,
      agent: false,
      timeout: 20_000,
    };
    const call = request(target, (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("error", reject);
      response.on("end", () => {
        const headers: Record<string, string> = {};
        for (const [name, value] of Object.entries(response.headers))
          headers[name] = [value].flat().join(", ");
        resolve({
          status: response.statusCode ?? 0,
          headers,
          body: Buffer.concat(parts).toString("utf8"),
        });
      });
    });
    call.on("timeout", () => call.destroy(new Error(`no answer to GET ${path} within 20 s`)));
    call.on("error", reject);
    call.end();
  });
}
