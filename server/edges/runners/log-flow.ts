/**
 * Log frames of one connection: handed to the ingest in order, acknowledged cumulatively once durable. The windows
 * that `welcome` announced are kept here: bytes received and not yet durable, per stream and per connection.
 */
import type { LogFrame } from "@forgeline/schemas/logs/frame.ts";
import { maxLogFrameBytes } from "@forgeline/schemas/logs/frame.ts";
import type { LeaseStream } from "@forgeline/schemas/runner-protocol/lease.ts";
import { closeCodes } from "@forgeline/schemas/runner-protocol/version.ts";
import type { LogIngest } from "../../domains/pipelines/domain.ts";
import type { Logger } from "../../platform/logger.ts";
import { AppError } from "../../platform/app-error.ts";
import type { RunnerLink } from "./link.ts";

export interface LogFlowDeps {
  link: RunnerLink;
  logs: LogIngest;
  logger: Logger;
  windowBytesPerStream: number;
  windowBytes: number;
  /** A channel that this connection never opened. */
  onForeignChannel(channel: number): void;
}

/** The database is asked for a rewind only after this, so that its outage does not make a storm. */
const retryDelayMs = 500;
/** Frames of closed channels come late by moments only, but a connection lives for months. */
const rememberedChannels = 10_000;

interface OpenChannel {
  streamId: string;
  attemptId: string;
  pendingBytes: number;
  acknowledged: number;
  /** Set while the runner is to rewind: later frames answer nothing until the expected offset comes. */
  rewindTo: number | undefined;
  tail: Promise<void>;
}

export interface LogFlow {
  open(attemptId: string, streams: readonly LeaseStream[]): void;
  close(attemptId: string): void;
  /** Resolves when the frame is durable or refused. */
  receive(frame: LogFrame): Promise<void> | undefined;
  /** Resolves when everything received for the attempt so far is durable or refused. */
  settled(attemptId: string): Promise<void>;
  /** Stream id → attempt, of this connection's leases only. */
  attemptOf(streamId: string): string | undefined;
}

export function createLogFlow(deps: LogFlowDeps): LogFlow {
  const channels = new Map<number, OpenChannel>();
  const attemptByStream = new Map<string, string>();
  const closed = new Set<number>();
  let pendingBytes = 0;
  let paused = false;

  const store = async (channel: number, open: OpenChannel, frame: LogFrame) => {
    try {
      const answer = await deps.logs.append(open.streamId, frame);
      if ("nextOffset" in answer) acknowledge(deps.link, { channel, open }, answer.nextOffset);
      else if (open.rewindTo !== answer.expected) {
        open.rewindTo = answer.expected;
        deps.link.sendUnnumbered({ t: "log_nack", channel, expected: answer.expected });
      }
    } catch (error) {
      refuse(deps, { channel, open }, error as Error);
    } finally {
      open.pendingBytes -= frame.rawLength;
      pendingBytes -= frame.rawLength;
    }
  };

  const holdBack = () => {
    const relief = paused ? undefined : deps.logs.pressure();
    if (!relief) return;
    paused = true;
    deps.link.pause();
    void relief.finally(() => {
      paused = false;
      deps.link.resume();
    });
  };

  return {
    open(attemptId, streams) {
      for (const stream of streams) {
        attemptByStream.set(stream.id, attemptId);
        channels.set(stream.channel, {
          streamId: stream.id,
          attemptId,
          pendingBytes: 0,
          acknowledged: stream.nextOffset,
          rewindTo: undefined,
          tail: Promise.resolve(),
        });
      }
    },
    close(attemptId) {
      for (const [channel, open] of channels)
        if (open.attemptId === attemptId) {
          channels.delete(channel);
          closed.add(channel);
          const [oldestClosed] = closed;
          if (closed.size > rememberedChannels && oldestClosed !== undefined) closed.delete(oldestClosed);
          attemptByStream.delete(open.streamId);
        }
    },
    receive(frame) {
      const open = channels.get(frame.channel);
      if (!open) {
        // Frames of a lease that just ended may still be on their way.
        if (!closed.has(frame.channel)) deps.onForeignChannel(frame.channel);
        return undefined;
      }
      // Known to be durable: not even inflated.
      if (frame.offset + frame.rawLength <= open.acknowledged) {
        acknowledge(deps.link, { channel: frame.channel, open }, open.acknowledged);
        return undefined;
      }
      open.pendingBytes += frame.rawLength;
      pendingBytes += frame.rawLength;
      if (
        open.pendingBytes > deps.windowBytesPerStream + maxLogFrameBytes ||
        pendingBytes > deps.windowBytes + maxLogFrameBytes
      ) {
        deps.link.close(closeCodes.slow_down, "more log bytes under way than the window allows");
        return undefined;
      }
      const stored = store(frame.channel, open, frame);
      open.tail = Promise.all([open.tail, stored]).then(() => undefined);
      holdBack();
      return stored;
    },
    async settled(attemptId) {
      await Promise.all(
        [...channels.values()].filter((open) => open.attemptId === attemptId).map((open) => open.tail),
      );
    },
    attemptOf: (streamId) => attemptByStream.get(streamId),
  };
}

function acknowledge(
  link: RunnerLink,
  { channel, open }: { channel: number; open: OpenChannel },
  nextOffset: number,
): void {
  open.rewindTo = undefined;
  if (nextOffset < open.acknowledged) return;
  open.acknowledged = nextOffset;
  link.sendUnnumbered({ t: "log_ack", channel, nextOffset });
}

function refuse(
  deps: LogFlowDeps,
  { channel, open }: { channel: number; open: OpenChannel },
  error: Error,
): void {
  if (error instanceof RangeError) {
    deps.link.strike(error.message);
  } else if (error instanceof AppError) {
    // The stream has ended and accepts nothing more.
    deps.logger.debug({ stream_id: open.streamId, error: error.message }, "log frame refused");
  } else {
    requestResend(deps, { channel, open }, error);
  }
}

/** Not durable, so not acknowledged: the runner must send again from what is known to be stored. */
function requestResend(
  deps: LogFlowDeps,
  { channel, open }: { channel: number; open: OpenChannel },
  error: Error,
): void {
  if (open.rewindTo !== undefined) return;
  deps.logger.warn({ stream_id: open.streamId, error: error.message }, "log frames could not be stored");
  open.rewindTo = open.acknowledged;
  setTimeout(() => {
    open.rewindTo = undefined;
    deps.link.sendUnnumbered({ t: "log_nack", channel, expected: open.acknowledged });
  }, retryDelayMs).unref();
}
