/**
 * The sockets on which the server listens: HTTPS (TLS 1.2 and newer) on several addresses, and the plain port, which
 * refuses everything except what a trusted proxy forwards from HTTPS.
 */
import { readFileSync } from "node:fs";
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import { createServer as createHttpsServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { Config } from "../../config/config.ts";
import { createRequestContext } from "./request-context.ts";
import { maxHeaders } from "./ambiguous-headers.ts";
import { refusePlainHttp, refusePlainUpgrade, refuseUnreadable } from "./early-answers.ts";

export interface HttpHandlers {
  request(req: IncomingMessage, res: ServerResponse): void;
  upgrade(req: IncomingMessage, socket: Duplex, head: Buffer): void;
}

interface ServerHandlers extends HttpHandlers {
  mayContinue(req: IncomingMessage): boolean;
}

export interface Listeners {
  httpsPort: number;
  httpPort: number | undefined;
  /** Until called, requests wait: a server that starts behind a balancer fails none. */
  attach(handlers: HttpHandlers): void;
  /** Takes no more connections, ends idle ones, waits for requests in flight; cuts what is left after `drainMs`. */
  close(drainMs: number): Promise<void>;
}

type ListenConfig = Pick<
  Config,
  "listen" | "httpsPort" | "httpPort" | "tls" | "trustedProxies" | "publicUrl" | "requestIdleMs"
>;

export async function openListeners(config: ListenConfig): Promise<Listeners> {
  let handlers: HttpHandlers | undefined;
  const attached = Promise.withResolvers<HttpHandlers>();
  const docsUrl = `${config.publicUrl ?? "https://localhost"}/docs`;
  const serve: ServerHandlers = {
    mayContinue: () => true,
    request: (req, res) =>
      handlers ? handlers.request(req, res) : void attached.promise.then((ready) => ready.request(req, res)),
    upgrade: (req, socket, head) =>
      handlers
        ? handlers.upgrade(req, socket, head)
        : void attached.promise.then((ready) => ready.upgrade(req, socket, head)),
  };
  const plain: ServerHandlers = {
    mayContinue: (req) => viaProxy(req),
    request: (req, res) => (viaProxy(req) ? serve.request(req, res) : refusePlainHttp(res, docsUrl)),
    upgrade: (req, socket, head) =>
      viaProxy(req) ? serve.upgrade(req, socket, head) : refusePlainUpgrade(socket, docsUrl),
  };
  const viaProxy = (req: IncomingMessage) => createRequestContext(req, config.trustedProxies).secure;

  const servers: Server[] = [];
  const sockets = new Set<Socket>();
  const settings = { sockets, docsUrl, idleMs: config.requestIdleMs };
  let httpsPort = config.httpsPort;
  if (config.tls.certFile && config.tls.keyFile) {
    const tls = {
      cert: readFileSync(config.tls.certFile),
      key: readFileSync(config.tls.keyFile),
      minVersion: "TLSv1.2" as const,
    };
    httpsPort = await listenAll(servers, { addresses: config.listen, port: httpsPort }, () =>
      wire(createHttpsServer(tls), serve, settings),
    );
  }
  let httpPort = config.httpPort;
  if (httpPort !== undefined)
    httpPort = await listenAll(servers, { addresses: config.listen, port: httpPort }, () =>
      wire(createHttpServer(), plain, settings),
    );
  return {
    httpsPort,
    httpPort,
    attach(ready) {
      handlers = ready;
      attached.resolve(ready);
    },
    close: (drainMs) => closeAll(servers, sockets, drainMs),
  };
}

function wire(
  server: Server,
  handlers: ServerHandlers,
  { sockets, docsUrl, idleMs }: { sockets: Set<Socket>; docsUrl: string; idleMs: number },
): Server {
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  const answers = new WeakMap<Duplex, ServerResponse>();
  server.on("request", (req: IncomingMessage, res: ServerResponse) => {
    answers.set(req.socket, res);
    handlers.request(req, res);
  });
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Duplex) => {
    const answer = answers.get(socket);
    const isAnswering = answer?.headersSent === true && !answer.writableFinished;
    if (error.code === "ECONNRESET" || isAnswering || !socket.writable) socket.destroy();
    else refuseUnreadable(socket, error, docsUrl);
  });
  // Whoever asks before sending a body is told no before it is sent.
  server.on("checkContinue", (req: IncomingMessage, res: ServerResponse) => {
    if (handlers.mayContinue(req)) res.writeContinue();
    handlers.request(req, res);
  });
  server.on("upgrade", handlers.upgrade);
  // A client that is slow with its head or body holds a connection for so long at most.
  server.headersTimeout = 30_000;
  server.requestTimeout = 0;
  server.keepAliveTimeout = 65_000;
  // An answer that nobody reads holds what it is made of; sockets that were upgraded are not concerned.
  server.timeout = idleMs;
  server.maxHeadersCount = maxHeaders;
  return server;
}

/** All addresses share one port: what the first got, when a free one is requested. */
async function listenAll(
  servers: Server[],
  { addresses, port }: { addresses: readonly string[]; port: number },
  make: () => Server,
): Promise<number> {
  let actual = port;
  for (const address of addresses) {
    const server = make();
    servers.push(server);
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(actual, address, () => {
        server.off("error", reject);
        resolve();
      });
    });
    actual = (server.address() as AddressInfo).port;
  }
  return actual;
}

async function closeAll(
  servers: readonly Server[],
  sockets: ReadonlySet<Socket>,
  drainMs: number,
): Promise<void> {
  const closed = Promise.all(
    servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve()))),
  );
  const closeIdle = () => {
    for (const server of servers) server.closeIdleConnections();
  };
  closeIdle();
  // A connection that was busy when the end began is idle after its answer.
  const sweeper = setInterval(closeIdle, 100);
  // Upgraded sockets are no longer known to the HTTP server, yet its end waits for them.
  const timer = setTimeout(() => {
    for (const socket of sockets) socket.destroy();
  }, drainMs);
  await closed;
  clearInterval(sweeper);
  clearTimeout(timer);
}
