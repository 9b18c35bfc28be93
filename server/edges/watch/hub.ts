/**
 * The log watch hub: sockets that were let in become viewers here. It handles what all viewers share: pings, and closing those
 * that read nothing for a minute, send too much, or have lost their permission.
 */
import { WatchResume } from "@forgeline/schemas/logs/watch.ts";
import { closeCodes } from "@forgeline/schemas/runner-protocol/version.ts";
import type { WebSocket } from "ws";
import type { StreamFilter, LogService } from "../../domains/pipelines/domain.ts";
import type { Logger } from "../../platform/logger.ts";
import { defaultPeriods } from "../../config/periods.ts";
import { createTokenBucket } from "../../platform/token-bucket.ts";
import { cutOff, endSocket } from "../../platform/sockets/end-socket.ts";
import { createWatchedRuns } from "./run.ts";
import { createSharedStreams } from "./stream.ts";
import { createViewer, type Viewer } from "./viewer.ts";

export interface WatchAccess {
  /** Viewers with the same key share one check. */
  key: string;
  credentialId: string | null;
  /** Whether the viewer may still read. */
  check(): Promise<boolean>;
}

export interface WatchRequest {
  pipelineId: string;
  filter: StreamFilter;
  from: number;
  /** The viewer announced a `resume` message: nothing is sent before it. */
  awaitResume: boolean;
  /** Whether the viewer can read compressed frames. */
  zstd: boolean;
  access: WatchAccess;
}

export interface LogWatchHub {
  serve(socket: WebSocket, request: WatchRequest): void;
  viewers(): number;
  /** Sends all viewers to another server. */
  close(): void;
}

export interface LogWatchOptions {
  /** A viewer whose backlog does not move for this long is closed with 4429. */
  stalledMs?: number;
  checkMs?: number;
  /** See `createWatchedRuns`. */
  refreshMs?: number;
}

interface Connection {
  socket: WebSocket;
  access: WatchAccess;
  viewer: Viewer | undefined;
  backlog: number;
  /** Monotonic times of the last progress and the last sign of life. */
  movedAt: number;
  heardAt: number;
}

/** A viewer sends only where to continue, and answers to two pings a minute. */
const messages = { burst: 20, perSecond: 1 };
const pingMs = 30_000;
const silentMs = 75_000;
const resumeWaitMs = 10_000;

export function createLogWatchHub(
  deps: { logs: LogService; logger: Logger },
  options: LogWatchOptions = {},
): LogWatchHub {
  const runs = createWatchedRuns({ states: deps.logs.runs, logger: deps.logger }, options.refreshMs);
  const streams = createSharedStreams(deps.logs);
  const connections = new Set<Connection>();
  const stalledMs = options.stalledMs ?? 60_000;
  const checkMs = options.checkMs ?? defaultPeriods.viewerCheckMs;

  function serve(socket: WebSocket, request: WatchRequest): void {
    const now = performance.now();
    const budget = createTokenBucket(messages);
    /** False when it was one too many. */
    const mayGoOn = () => {
      if (socket.readyState !== socket.OPEN) return false;
      if (budget.take(1)) return true;
      cutOff(socket, closeCodes.slow_down, "too many messages; a viewer can send one per second");
      return false;
    };
    const connection: Connection = {
      socket,
      access: request.access,
      viewer: undefined,
      backlog: 0,
      movedAt: now,
      heardAt: now,
    };
    connections.add(connection);
    const start = (resume: Readonly<Record<string, number>>) => {
      connection.viewer = createViewer({
        ...request,
        socket,
        streams,
        run: runs.get(request.pipelineId),
        resume,
        refuse: (code, reason) => cutOff(socket, code, reason),
      });
    };
    const waiting = request.awaitResume ? setTimeout(() => start({}), resumeWaitMs).unref() : undefined;
    if (!waiting) start({});
    socket.on("message", (data: Buffer, isBinary) => {
      if (!mayGoOn()) return;
      connection.heardAt = performance.now();
      const message = isBinary ? undefined : parseResume(data.toString("utf8"));
      if (!message) return cutOff(socket, closeCodes.bad_frame, "only resume messages are accepted");
      clearTimeout(waiting);
      if (connection.viewer) connection.viewer.resume(message.offsets);
      else start(message.offsets);
    });
    socket.on("ping", () => void mayGoOn());
    socket.on("pong", () => {
      if (mayGoOn()) connection.heardAt = performance.now();
    });
    // The close event follows and says it all; an oversized frame ends with 1009 from the library.
    socket.on("error", () => undefined);
    socket.on("close", () => {
      clearTimeout(waiting);
      connections.delete(connection);
      connection.viewer?.close();
    });
  }

  async function checkAccess(affected: Iterable<Connection>): Promise<void> {
    const byKey = Map.groupBy(affected, (connection) => connection.access.key);
    for (const group of byKey.values()) {
      const allowed = await group[0]?.access.check().catch((error: unknown) => {
        // An error does not mean "no": an outage of the database must not disconnect every viewer.
        deps.logger.warn({ error: (error as Error).message }, "could not check a viewer's permission");
        return true;
      });
      if (!allowed)
        for (const { socket } of group) endSocket(socket, closeCodes.credential, "permission has ended");
    }
  }

  function checkLife(): void {
    const now = performance.now();
    for (const connection of connections) {
      const { socket } = connection;
      const backlog = socket.bufferedAmount;
      if (backlog === 0 || backlog < connection.backlog) connection.movedAt = now;
      connection.backlog = backlog;
      if (now - connection.movedAt > stalledMs)
        endSocket(
          socket,
          closeCodes.slow_down,
          "nothing was read for a minute; reconnect and resume from your offsets",
        );
      else if (backlog === 0 && now - connection.heardAt > silentMs) socket.terminate();
      else if (backlog === 0 && now - connection.heardAt > pingMs) socket.ping();
    }
  }

  let checking = false;
  const timer = setInterval(() => {
    checkLife();
    if (checking) return;
    checking = true;
    void checkAccess(connections).finally(() => (checking = false));
  }, checkMs).unref();
  const stopTokens = deps.logs.onCredentialEnd((tokenId) => {
    void checkAccess([...connections].filter((c) => tokenId === "" || c.access.credentialId === tokenId));
  });

  return {
    serve,
    viewers: () => connections.size,
    close() {
      clearInterval(timer);
      stopTokens();
      runs.close();
      for (const { socket } of connections)
        endSocket(socket, closeCodes.going_away, "the server is shutting down");
    },
  };
}

function parseResume(text: string): WatchResume | undefined {
  try {
    return WatchResume.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
