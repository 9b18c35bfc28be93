/** The watch hub of one server, behind a socket server that lets everybody in. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { WebSocketServer } from "ws";
import {
  createLogWatchHub,
  type LogWatchHub,
  type LogWatchOptions,
} from "@forgeline/server/edges/watch/hub.ts";
import { quiet, type LogFixture } from "./fixture.ts";

export interface WatchServer {
  hub: LogWatchHub;
  url: string;
  permission: { granted: boolean };
  /** Bytes that wait in this process for the slowest of its viewers. */
  backlog(): number;
  close(): Promise<void>;
}

/** Nothing shows because it was looked for again. */
const onlyNews = { checkMs: 3_600_000, refreshMs: 3_600_000 };

/** Who may enter is tested with the API. */
export async function openConnectionReceiver(
  server: ReturnType<LogFixture["server"]>,
  options?: LogWatchOptions,
): Promise<WatchServer> {
  const hub = createLogWatchHub({ logs: server.logs, logger: quiet }, { ...onlyNews, ...options });
  const permission = { granted: true };
  const http = createServer().listen(0, "127.0.0.1");
  const sockets = new WebSocketServer({ server: http, maxPayload: 64 * 1024, perMessageDeflate: false });
  sockets.on("connection", (socket, request) => {
    const query = new URL(request.url ?? "", "http://x").searchParams;
    hub.serve(socket, {
      pipelineId: query.get("pipeline") ?? "",
      filter: { job: query.get("job") ?? undefined, step: query.get("step") ?? undefined },
      from: Number(query.get("from") ?? 0),
      awaitResume: query.has("resume"),
      zstd: true,
      access: { key: "test", credentialId: "tok_test", check: async () => permission.granted },
    });
  });
  await once(http, "listening");
  const { port } = http.address() as AddressInfo;
  const backlog = () => Math.max(0, ...[...sockets.clients].map(({ bufferedAmount }) => bufferedAmount));
  return {
    hub,
    permission,
    backlog,
    async close() {
      hub.close();
      http.closeAllConnections();
      http.close();
      await once(http, "close");
    },
    url: `ws://127.0.0.1:${port}`,
  };
}
