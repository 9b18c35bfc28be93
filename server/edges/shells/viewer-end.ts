/** The viewer's end of a shell: what it may send, its limits of time, and its permission while the shell is open. */
import { maxShellFrameBytes, ShellMessage, ShellResize } from "@forgeline/schemas/shells/socket.ts";
import { closeCodes } from "@forgeline/schemas/runner-protocol/version.ts";
import type { WebSocket } from "ws";
import { createTokenBucket } from "../../platform/token-bucket.ts";
import { cutOff } from "../../platform/sockets/end-socket.ts";
import type { ShellFrame } from "./frames.ts";
import type { HubParts, ShellAccess } from "./hub.ts";

/** Frames of somebody who types fast or pastes much; also pings. */
const frameRate = { burst: 1_000, perSecond: 200 };
const inputMaxBytes = maxShellFrameBytes;
/** Typed before the shell runs. */
const earlyMax = 100;

export interface ViewerEnd {
  credentialId: string | null;
  /** Ends the shell where a limit is reached or the permission is gone. Never rejects. */
  check(): Promise<void>;
}

export function serveViewer(
  hub: HubParts,
  { socket, shellId, access }: { socket: WebSocket; shellId: string; access: ShellAccess },
): ViewerEnd {
  const { idleMs, maxMs } = hub.deps.shells.settings;
  const budget = createTokenBucket(frameRate);
  const early: ShellFrame[] = [];
  let isReady = false;
  let typedAt = performance.now();
  const onFrame = (frame: ShellFrame) => {
    if (isReady || !isReadyMessage(frame)) return;
    isReady = true;
    typedAt = performance.now();
    for (const kept of early.splice(0)) endpoint.push(kept);
  };
  const endpoint = hub.open({ shellId, side: "viewer", socket, onFrame });
  const mayGoOn = () => {
    if (socket.readyState !== socket.OPEN) return false;
    if (budget.take(1)) return true;
    cutOff(socket, closeCodes.slow_down, "too many frames");
    return false;
  };
  socket.on("message", (bytes: Buffer, isBinary) => {
    if (!mayGoOn()) return;
    if (bytes.length > inputMaxBytes || (!isBinary && !isResize(bytes)))
      return cutOff(socket, closeCodes.bad_frame, "neither input nor a new size of the terminal");
    if (isBinary) typedAt = performance.now();
    const frame = { isText: !isBinary, bytes };
    if (isReady) endpoint.push(frame);
    else if (early.length < earlyMax) early.push(frame);
  });
  socket.on("ping", () => void mayGoOn());
  socket.on("pong", () => void mayGoOn());
  socket.once("close", () => {
    void hub.end(shellId, { reason: "closed", message: "The shell was closed.", exitCode: null });
  });

  async function check(): Promise<void> {
    const now = performance.now();
    if (now - endpoint.openedAt > maxMs)
      return hub.end(shellId, {
        reason: "time_limit",
        message: "The shell was open for as long as one may be.",
        exitCode: null,
      });
    if (now - typedAt > idleMs)
      return hub.end(shellId, {
        reason: "idle",
        message: "Nothing was typed for too long.",
        exitCode: null,
      });
    const isAllowed = await access.check().catch((error: Error) => {
      // An outage of the database is no "no".
      hub.deps.logger.warn({ error: error.message }, "could not check who has a shell open");
      return true;
    });
    if (!isAllowed)
      await hub.end(shellId, {
        reason: "permission",
        message: "You may not have a shell here any more.",
        exitCode: null,
      });
  }
  return { credentialId: access.credentialId, check };
}

function isReadyMessage({ isText, bytes }: ShellFrame): boolean {
  return isText && ShellMessage.safeParse(parse(bytes)).data?.t === "ready";
}

function isResize(bytes: Buffer): boolean {
  return ShellResize.safeParse(parse(bytes)).success;
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch {
    return undefined;
  }
}
