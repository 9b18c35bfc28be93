/** A receiver of webhooks: HTTPS on loopback with the bed's certificate. Keeps what came, and answers as it is told. */
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { readBed } from "./bed.ts";

export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  json: Record<string, unknown>;
  /** When its first byte had come. */
  at: number;
}

export type Answer = (request: Received, response: ServerResponse, count: number) => void;

export interface Receiver {
  /** `https://localhost:PORT`. */
  url: string;
  received: Received[];
  /** How it answers from now on; default: 204. */
  answer: Answer;
  close(): Promise<void>;
}

export const accepting: Answer = (_request, response) => void response.writeHead(204).end();
export const refusing =
  (status: number): Answer =>
  (_request, response) =>
    void response.writeHead(status, { "content-type": "text/plain" }).end(`no: ${status}`);

/** A body without end. */
export const withoutEnd: Answer = (_request, response) => {
  response.writeHead(500);
  const timer = setInterval(() => response.write("x".repeat(16_384)), 5);
  response.on("close", () => clearInterval(timer));
};
export const resetting: Answer = (_request, response) => void response.socket?.destroy();
export const acceptingAfter =
  (ms: number): Answer =>
  (_request, response) =>
    void setTimeout(() => response.writeHead(204).end(), ms);

/** As `X-Svc-Signature-256` has to be. */
export function signatureOf(secret: string, body: string): string {
  return `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
}

export async function startReceiver(answer: Answer = accepting): Promise<Receiver> {
  const { certFile, keyFile } = (await readBed()).certificates;
  const [cert, key] = await Promise.all([readFile(certFile), readFile(keyFile)]);
  const received: Received[] = [];
  const server = createServer({ cert, key }, (request, response) => {
    const at = Date.now();
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString("utf8");
      const json = JSON.parse(body) as Record<string, unknown>;
      const { headers, url: path = "" } = request;
      const one = { path, headers, body, json, at };
      received.push(one);
      receiver.answer(one, response, received.length);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const receiver: Receiver = {
    url: `https://localhost:${(server.address() as AddressInfo).port}`,
    received,
    answer,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return receiver;
}
