/** Opens the socket of a shell that the server asked for. */
import { runnerShellPath } from "@forgeline/schemas/shells/socket.ts";
import WebSocket from "ws";
import type { RunnerConfig } from "../config.ts";

/** Resolves with the open socket; rejects where the server does not want it any more. */
export type ConnectShell = (shellId: string) => Promise<WebSocket>;

const handshakeTimeoutMs = 10_000;
/** The server sends no longer frames. */
const maxPayload = 64 * 1024;

export function createConnectShell({
  connectUrl,
  credential,
  ca,
}: Pick<RunnerConfig, "connectUrl" | "credential" | "ca">): ConnectShell {
  const base = new URL(connectUrl);
  return (shellId) =>
    new Promise((resolve, reject) => {
      base.pathname = `/api/v1${runnerShellPath.replace(":shell", encodeURIComponent(shellId))}`;
      const socket = new WebSocket(base, {
        headers: { authorization: `Bearer ${credential}` },
        handshakeTimeout: handshakeTimeoutMs,
        maxPayload,
        perMessageDeflate: false,
        ...(ca === null ? {} : { ca }),
      });
      // Nothing that comes with the opening is lost: it is read once somebody listens.
      socket.once("open", () => {
        socket.pause();
        resolve(socket);
      });
      socket.on("error", reject);
    });
}
