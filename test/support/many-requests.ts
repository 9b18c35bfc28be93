/** For tests that send thousands of requests without a body: connections to an API server that are used again. */
import { Agent, request } from "node:https";
import type { IncomingHttpHeaders } from "node:http";
import type { ApiServer } from "./api-server.ts";

export interface ManyRequests {
  /** `path` is relative to `{base_url}`. */
  send(
    method: string,
    path: string,
    headers: Record<string, string>,
  ): Promise<{ status: number; headers: IncomingHttpHeaders; text: string }>;
  close(): void;
}

export function manyRequests(server: ApiServer, { atOnce }: { atOnce: number }): ManyRequests {
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce, ca: server.ca });
  return {
    send: (method, path, headers) =>
      new Promise((resolve, reject) => {
        const call = request(`${server.baseUrl}${path}`, { agent, method, headers }, (response) => {
          const parts: Buffer[] = [];
          response.on("data", (part: Buffer) => parts.push(part));
          response.on("error", reject);
          response.on("end", () => {
            const text = Buffer.concat(parts).toString();
            resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
          });
        });
        call.on("error", reject);
        call.end();
      }),
    close: () => agent.destroy(),
  };
}
