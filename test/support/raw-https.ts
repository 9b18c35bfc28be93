/** Bytes as they are to an API server, for requests that no client library sends. */
import { connect } from "node:tls";
import type { ApiServer } from "./api-server.ts";

export interface RawAnswer {
  status: number;
  /** The whole head. */
  head: string;
  body: string;
}

/** Sends `text`, and reads until the server closes: a request that is answered must say `Connection: close`. */
export function sendRaw(server: ApiServer, text: string | Buffer): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port: server.httpsPort, host: "127.0.0.1", ca: server.ca });
    const chunks: Buffer[] = [];
    socket.on("data", (chunk: Buffer) => chunks.push(chunk));
    socket.on("error", reject);
    socket.on("close", () => {
      const [head = "", ...body] = Buffer.concat(chunks).toString("utf8").split("\r\n\r\n");
      const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0);
      resolve({ status, head, body: body.join("\r\n\r\n") });
    });
    socket.write(text);
  });
}

/** A request's text; `headers` as they are, in this order, also when they come twice. */
export function rawRequest(line: string, headers: readonly string[], body = ""): string {
  return [`${line} HTTP/1.1`, ...headers, "Connection: close", "", body].join("\r\n");
}
