/**
 * One end of a shell in this process: a socket of its viewer or of its runner. What the socket brings goes to the other end, which is
 * in this process, or is reached by parcels in the database: one at a time for each direction, so that neither end can fill
 * anything when the other one does not read.
 */
import type { WebSocket } from "ws";
import type { ShellService, ShellSide } from "../../domains/pipelines/domain.ts";
import { packFrames, takeBatch, unpackFrames, type ShellFrame } from "./frames.ts";

/** Above this, the socket is not read. */
const waitingMax = 512 * 1024;
/** A notification may be lost. */
const lookMs = 1_000;

export interface ShellEndpoint {
  readonly shellId: string;
  readonly side: ShellSide;
  readonly socket: WebSocket;
  /** Monotonic. */
  readonly openedAt: number;
  /** To the other end. */
  push(frame: ShellFrame): void;
  /** From the other end; resolves when they are on their way. */
  deliver(frames: readonly ShellFrame[]): Promise<void>;
  /** Looks for a parcel, and for room for the next one. */
  look(): void;
  /** Resolves when all that was pushed is with the other end, or cannot get there any more. */
  drained(): Promise<void>;
  /** The socket is not read until it was released as often. */
  hold(): void;
  release(): void;
  /** Nothing is passed on any more, but for parcels that are there. */
  close(): Promise<void>;
}

export interface EndOptions {
  shellId: string;
  side: ShellSide;
  socket: WebSocket;
  shells: Pick<ShellService, "putParcel" | "takeParcel">;
  /** The other end, where it is in this process. */
  peer(): ShellEndpoint | undefined;
  /** A frame from the other end, before it is sent. */
  onFrame(frame: ShellFrame): void;
  onFailure(error: unknown): void;
}

export function createShellEnd(options: EndOptions): ShellEndpoint {
  const { shellId, side, socket, shells } = options;
  const recipient = side === "viewer" ? "runner" : "viewer";
  const waiting: ShellFrame[] = [];
  let waitingBytes = 0;
  let isClosed = false;
  let pumping: Promise<void> | undefined;
  let taking = Promise.resolve();
  let isTaking = false;
  let isNews = false;
  let wake = () => undefined as void;
  let holds = 0;
  let isFull = false;

  function hold(): void {
    holds += 1;
    socket.pause();
  }

  function release(): void {
    holds -= 1;
    if (holds === 0) socket.resume();
  }

  async function hand(batch: ShellFrame[]): Promise<void> {
    const peer = options.peer();
    if (peer) return peer.deliver(batch);
    const frames = packFrames(batch);
    for (;;) {
      // News that comes while it is put counts: the place may have become free after it was looked at.
      const room = Promise.withResolvers<void>();
      wake = room.resolve;
      if (isClosed || (await shells.putParcel(shellId, { recipient, frames }))) return;
      const timer = setTimeout(room.resolve, lookMs);
      await room.promise;
      clearTimeout(timer);
    }
  }

  async function pump(): Promise<void> {
    while (waiting.length > 0 && !isClosed) {
      const batch = takeBatch(waiting);
      await hand(batch);
      waitingBytes -= batch.reduce((sum, { bytes }) => sum + bytes.length, 0);
      if (!isFull || waitingBytes > waitingMax / 2) continue;
      isFull = false;
      release();
    }
  }

  async function deliver(frames: readonly ShellFrame[]): Promise<void> {
    for (const frame of frames) {
      options.onFrame(frame);
      if (socket.readyState !== socket.OPEN) return;
      await new Promise<void>((resolve) =>
        socket.send(frame.bytes, { binary: !frame.isText }, () => resolve()),
      );
    }
  }

  async function takeAll(): Promise<void> {
    for (;;) {
      const parcel = await shells.takeParcel(shellId, side);
      if (!parcel) return;
      await deliver(unpackFrames(parcel));
    }
  }

  /** One that comes while the last look found nothing is found by another look: nobody tells of it again. */
  async function takeUntilQuiet(): Promise<void> {
    do {
      isNews = false;
      await takeAll().catch(options.onFailure);
    } while (isNews);
    isTaking = false;
  }

  function take(): Promise<void> {
    isNews = true;
    if (!isTaking) {
      isTaking = true;
      taking = takeUntilQuiet();
    }
    return taking;
  }

  return {
    shellId,
    side,
    socket,
    openedAt: performance.now(),
    push(frame) {
      if (isClosed) return;
      waiting.push(frame);
      waitingBytes += frame.bytes.length;
      if (waitingBytes > waitingMax && !isFull) {
        isFull = true;
        hold();
      }
      pumping ??= pump()
        .catch(options.onFailure)
        .finally(() => (pumping = undefined));
    },
    deliver,
    look() {
      wake();
      if (!isClosed && !options.peer()) void take();
    },
    drained: async () => pumping,
    hold,
    release,
    async close() {
      isClosed = true;
      wake();
      if (!options.peer()) await take();
    },
  };
}
