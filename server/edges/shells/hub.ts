/**
 * The ends of shells that are in this process: sockets of viewers and of runners. It looks after their limits and permissions, and
 * ends a shell with a reason that both ends, and the audit log, are told.
 */
import { setTimeout } from "node:timers/promises";
import type { ShellMessage } from "@forgeline/schemas/shells/socket.ts";
import { closeCodes } from "@forgeline/schemas/runner-protocol/version.ts";
import type { WebSocket } from "ws";
import type { ConnectedRunner, ShellEnd, ShellService, ShellSide } from "../../domains/pipelines/domain.ts";
import type { Logger } from "../../platform/logger.ts";
import { AppError } from "../../platform/app-error.ts";
import { endSocket } from "../../platform/sockets/end-socket.ts";
import { createShellEnd, type ShellEndpoint } from "./shell-end.ts";
import { serveRunner } from "./runner-end.ts";
import { serveViewer, type ViewerEnd } from "./viewer-end.ts";

export interface ShellAccess {
  credentialId: string | null;
  /** Whether the viewer may still have a shell. */
  check(): Promise<boolean>;
}

export interface ShellHub {
  acceptViewer(socket: WebSocket, shellId: string, access: ShellAccess): void;
  /** Throws `not_found` where this runner is not asked for the shell. */
  runnerFor(runner: ConnectedRunner, shellId: string): Promise<(socket: WebSocket) => void>;
  /** Ends all shells with an end here. */
  close(): Promise<void>;
}

export interface ShellHubDeps {
  shells: ShellService;
  logger: Logger;
  /** Calls back when a credential has ended. */
  onCredentialEnd(listener: (id: string) => void): () => void;
  checkMs: number;
}

export interface NewEnd {
  shellId: string;
  side: ShellSide;
  socket: WebSocket;
  /** What comes from the other end, before it is sent. */
  onFrame?: ShellEndpoint["push"];
}

export interface HubParts {
  deps: ShellHubDeps;
  open(end: NewEnd): ShellEndpoint;
  /** Ends the shell for all, and records why; never rejects. */
  end(shellId: string, how: ShellEnd): Promise<void>;
  /** The server does not close before the returned function was called, or some seconds have passed. */
  keepsWorking(): () => void;
}

const pingMs = 30_000;
const closingMs = 3_000;

export function createShellHub(deps: ShellHubDeps): ShellHub {
  const { shells, logger } = deps;
  const ends = new Map<string, ShellEndpoint>();
  const viewers = new Map<string, ViewerEnd>();
  const working = new Set<Promise<void>>();
  const keyOf = (shellId: string, side: ShellSide) => `${shellId}:${side}`;
  const otherSide = (side: ShellSide) => (side === "viewer" ? "runner" : "viewer");

  async function end(shellId: string, how: ShellEnd): Promise<void> {
    try {
      await shells.end(shellId, how);
      await finish(shellId);
    } catch (error) {
      logger.warn({ shell_id: shellId, error: (error as Error).message }, "a shell could not be ended");
    }
  }

  /** Closes the ends that are here of a shell that has ended. */
  async function finish(shellId: string): Promise<void> {
    const here = (["runner", "viewer"] as const).flatMap((side) => ends.get(keyOf(shellId, side)) ?? []);
    if (here.length === 0) return;
    const how = await shells.endOf(shellId);
    if (!how) return;
    for (const open of here) {
      await open.close();
      if (open.side === "viewer") tell(open.socket, how);
      endSocket(open.socket, 1000, how.reason);
    }
  }

  const parts: HubParts = {
    deps,
    end,
    keepsWorking() {
      const work = Promise.withResolvers<void>();
      working.add(work.promise);
      return () => {
        working.delete(work.promise);
        work.resolve();
      };
    },
    open({ shellId, side, socket, onFrame = () => undefined }) {
      const key = keyOf(shellId, side);
      const opened = createShellEnd({
        shellId,
        side,
        socket,
        shells,
        onFrame,
        peer: () => ends.get(keyOf(shellId, otherSide(side))),
        onFailure: (error) =>
          logger.warn({ shell_id: shellId, error: (error as Error).message }, "a shell was interrupted"),
      });
      ends.set(key, opened);
      socket.once("close", () => {
        if (ends.get(key) === opened) ends.delete(key);
        viewers.delete(shellId);
      });
      // The close event follows and says it all.
      socket.on("error", () => undefined);
      return opened;
    },
  };

  function onNews(shellId: string, news: string): void {
    if (news === "ended") return void finish(shellId).catch(() => undefined);
    for (const open of ends.values()) if (shellId === "" || open.shellId === shellId) open.look();
  }

  /** Tells that the ends here live, and closes those whose shell ended without their hearing of it. */
  async function beat(): Promise<void> {
    // News may be lost.
    for (const open of ends.values()) open.look();
    for (const side of ["viewer", "runner"] as const) {
      const here = [...ends.values()].filter((open) => open.side === side).map(({ shellId }) => shellId);
      if (here.length === 0) continue;
      const alive = new Set(await shells.see(side, here));
      for (const shellId of here) if (!alive.has(shellId)) await finish(shellId);
    }
  }

  let isBeating = false;
  const timer = setInterval(() => {
    for (const viewer of viewers.values()) void viewer.check();
    if (isBeating) return;
    isBeating = true;
    void beat()
      .catch((error: Error) => logger.warn({ error: error.message }, "shells could not be looked after"))
      .finally(() => (isBeating = false));
  }, deps.checkMs).unref();
  const pings = setInterval(() => {
    for (const { socket } of ends.values()) socket.ping();
  }, pingMs).unref();
  const stops = [
    shells.onChange(onNews),
    deps.onCredentialEnd((id) => {
      for (const viewer of viewers.values()) if (id === "" || viewer.credentialId === id) void viewer.check();
    }),
  ];

  return {
    acceptViewer(socket, shellId, access) {
      viewers.set(shellId, serveViewer(parts, { socket, shellId, access }));
    },
    async runnerFor(runner, shellId) {
      const recorder = await connectRunner(shells, runner, shellId);
      return (socket) => serveRunner(parts, { socket, shellId, recorder });
    },
    async close() {
      clearInterval(timer);
      clearInterval(pings);
      const here = new Set([...ends.values()].map(({ shellId }) => shellId));
      const message = "The server restarts. The job goes on; open another shell.";
      await Promise.all(
        [...here].map((id) => end(id, { reason: "server_restart", message, exitCode: null })),
      );
      for (const stop of stops) stop();
      for (const { socket } of ends.values())
        endSocket(socket, closeCodes.going_away, "server is shutting down");
      await Promise.race([Promise.all(working), setTimeout(closingMs, undefined, { ref: false })]);
    },
  };
}

async function connectRunner(shells: ShellService, runner: ConnectedRunner, shellId: string) {
  const recorder = await shells.connectRunner(shellId, runner.id);
  if (!recorder) throw new AppError("not_found");
  return recorder;
}

function tell(socket: WebSocket, { reason, message, exitCode }: ShellEnd): void {
  if (socket.readyState !== socket.OPEN) return;
  const ended: ShellMessage = { t: "ended", reason, message, exit_code: exitCode };
  socket.send(JSON.stringify(ended));
}
