/**
 * The proxy of a job that may reach some hosts only: it listens on the job's bridge, is all that the filter lets the job reach, and
 * connects for it. It looks at the host that is asked for, not at what is said to it. Design: docs/architecture/runner-egress.md.
 */
import {
  createServer,
  request as requestFrom,
  type IncomingMessage,
  type ServerResponse,
  type OutgoingHttpHeaders,
} from "node:http";
import { connect, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { Reach, Reached } from "./reach.ts";
import type { Target } from "./target.ts";

/** Of one job, at the same time. */
const maxConnections = 256;
const connectMs = 30_000;
const httpPort = 80;
/** Headers that are between the job and this proxy alone. */
const hopHeaders = [
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
];

export interface JobProxy {
  close(): void;
}

export interface JobProxyOptions {
  address: string;
  port: number;
  /** The other end is a container of this job. */
  isOfJob(address: string): boolean;
  reach: Reach;
}

/** Rejects where it cannot listen there. */
export function openJobProxy({ address, port, isOfJob, reach }: JobProxyOptions): Promise<JobProxy> {
  const sockets = new Set<Duplex>();
  const keep = <T extends Duplex>(socket: T): T => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    return socket;
  };
  const server = createServer((request, response) => {
    void forward(request, response, { reach, keep });
  });
  server.maxConnections = maxConnections;
  server.on("connection", (socket: Socket) => {
    keep(socket);
    if (!isOfJob(socket.remoteAddress ?? "")) socket.destroy();
  });
  server.on("connect", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    void tunnel({ request, socket, head }, { reach, keep });
  });
  server.on("clientError", (_error, socket) => socket.destroy());
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host: address, port }, () => {
      server.off("error", reject);
      server.on("error", () => undefined);
      resolve({
        close() {
          server.close();
          for (const socket of sockets) socket.destroy();
        },
      });
    });
  });
}

interface Means {
  reach: Reach;
  /** Ends it with the proxy. */
  keep: <T extends Duplex>(socket: T) => T;
}

/** `CONNECT host:port`: bytes go to and fro. */
async function tunnel(
  { request, socket, head }: { request: IncomingMessage; socket: Duplex; head: Buffer },
  { reach, keep }: Means,
): Promise<void> {
  // The job may go away at any time.
  socket.on("error", () => socket.destroy());
  const target = targetOf(request.url ?? "");
  const reached: Reached =
    target === null
      ? { status: 403, message: "CONNECT needs a host and a port" }
      : await reach(target).catch(failed);
  if (target === null || "status" in reached) return refuseTunnel(socket, reached);
  const other = keep(connect({ host: reached.address, port: target.port, timeout: connectMs }));
  let isOpen = false;
  other.once("connect", () => {
    isOpen = true;
    other.setTimeout(0);
    other.setKeepAlive(true, 60_000);
    socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
    if (head.length > 0) other.write(head);
    other.pipe(socket).pipe(other);
  });
  other.once("timeout", () => other.destroy(new Error("no answer in time")));
  other.on("error", (error) => {
    if (isOpen) socket.destroy();
    else refuseTunnel(socket, { status: 502, message: `${target.host} cannot be reached: ${error.message}` });
  });
  socket.on("close", () => other.destroy());
}

function refuseTunnel(socket: Duplex, reached: Reached): void {
  const { status, message } = refusalOf(reached);
  const body = `Forgeline: ${message}\n`;
  const head = [
    `HTTP/1.1 ${String(status)} ${status === 403 ? "Forbidden" : "Bad Gateway"}`,
    "Content-Type: text/plain; charset=utf-8",
    `Content-Length: ${String(Buffer.byteLength(body))}`,
    "Connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
}

/** `GET http://host/path`: one request, made again. */
async function forward(
  request: IncomingMessage,
  response: ServerResponse,
  { reach, keep }: Means,
): Promise<void> {
  request.on("error", () => undefined);
  const url = URL.canParse(request.url ?? "") ? new URL(request.url ?? "") : null;
  if (url?.protocol !== "http:")
    return answer(response, { status: 403, message: "this is a proxy for http:// addresses and CONNECT" });
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const port = url.port === "" ? httpPort : Number(url.port);
  const reached = await reach({ host, port }).catch(failed);
  if ("status" in reached) return answer(response, reached);
  const passed = requestFrom({
    host: reached.address,
    port,
    method: request.method,
    path: `${url.pathname}${url.search}`,
    headers: { ...endToEnd(request.headers), host: url.host },
    agent: false,
    timeout: connectMs,
  });
  passed.once("socket", (socket) => keep(socket));
  passed.once("response", (given) => {
    passed.setTimeout(0);
    response.writeHead(given.statusCode ?? 502, endToEnd(given.headers));
    given.on("error", () => response.destroy());
    given.pipe(response);
  });
  passed.once("timeout", () => passed.destroy(new Error("no answer in time")));
  passed.on("error", (error) =>
    answer(response, { status: 502, message: `${host} cannot be reached: ${error.message}` }),
  );
  response.on("close", () => passed.destroy());
  request.pipe(passed);
}

function answer(response: ServerResponse, reached: Reached): void {
  if (response.headersSent) return void response.destroy();
  const { status, message } = refusalOf(reached);
  response.writeHead(status, { "content-type": "text/plain; charset=utf-8", connection: "close" });
  response.end(`Forgeline: ${message}\n`);
}

function refusalOf(reached: Reached): { status: number; message: string } {
  return "status" in reached ? reached : { status: 502, message: "it cannot be reached" };
}

function failed(): Reached {
  return { status: 502, message: "the runner could not look up the host" };
}

function endToEnd(headers: IncomingMessage["headers"]): OutgoingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !hopHeaders.includes(name)));
}

/** `host:port` or `[address]:port`. */
function targetOf(text: string): Target | null {
  const match = /^(?:\[([0-9a-fA-F:.]+)\]|([^:[\]@/\s]{1,255})):([0-9]{1,5})$/.exec(text);
  const host = match?.[1] ?? match?.[2];
  const port = Number(match?.[3]);
  return host !== undefined && port >= 1 && port <= 65_535 ? { host, port } : null;
}
