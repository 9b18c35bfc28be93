/**
 * Writes what was seen in a shell into its log, in order and in batches. The bytes are masked already. A shell whose log cannot be
 * written is not left open: nobody would know what was done in it.
 */
import { createHash } from "node:crypto";
import { maxLogFrameBytes } from "@forgeline/schemas/logs/frame.ts";
import type { LogIngest } from "../logs/ingest.ts";

/** A person at a terminal does not see that much; what prints more runs away. */
export const maxShellLogBytes = 8 * 1024 * 1024;
const batchMs = 250;
const retryMs = 1_000;
const tries = 10;
const waitingMax = 256 * 1024;
const newline = 10;

export interface ShellRecorder {
  /** Resolves when more can be taken; false: the log is full, and these bytes are not in it. Rejects once it could not be written. */
  write(bytes: Buffer): Promise<boolean>;
  /** Writes what is left, and ends the log. Rejects when it could not be written. */
  end(): Promise<void>;
}

export function createShellRecorder(
  logs: Pick<LogIngest, "append" | "eof">,
  streamId: string,
): ShellRecorder {
  const sha256 = createHash("sha256");
  const at = { offset: 0, line: 0, begins: true };
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  let taken = 0;
  let timer: NodeJS.Timeout | undefined;
  let tail = Promise.resolve();

  async function append(bytes: Buffer): Promise<void> {
    const inner = countNewlines(bytes.subarray(0, -1));
    const begun = inner + (at.begins ? 1 : 0);
    const frame = {
      channel: 0,
      offset: at.offset,
      firstLine: at.line,
      rawLength: bytes.length,
      compressed: false,
      timeRuns: begun > 0 ? [{ lines: begun, timeMs: Date.now() }] : [],
      payload: bytes,
    };
    for (let left = tries; ; left -= 1)
      try {
        await logs.append(streamId, frame);
        break;
      } catch (error) {
        if (left <= 1) throw error;
        await new Promise((resolve) => setTimeout(resolve, retryMs));
      }
    at.begins = bytes.at(-1) === newline;
    at.line += inner + (at.begins ? 1 : 0);
    at.offset += bytes.length;
    sha256.update(bytes);
  }

  async function writeAll(bytes: Buffer): Promise<void> {
    for (let from = 0; from < bytes.length; from += maxLogFrameBytes)
      await append(bytes.subarray(from, from + maxLogFrameBytes));
  }

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const bytes = Buffer.concat(waiting);
    waiting = [];
    waitingBytes = 0;
    tail = tail.then(() => writeAll(bytes));
    // Told to the next caller.
    tail.catch(() => undefined);
    return tail;
  }

  return {
    async write(bytes) {
      if (taken + bytes.length > maxShellLogBytes) return false;
      taken += bytes.length;
      waiting.push(bytes);
      waitingBytes += bytes.length;
      if (waitingBytes >= waitingMax) await flush();
      else timer ??= setTimeout(() => void flush().catch(() => undefined), batchMs).unref();
      return true;
    },
    async end() {
      await flush();
      const totals = { bytes: at.offset, lines: at.line + (at.begins ? 0 : 1) };
      await logs.eof(streamId, { ...totals, sha256: sha256.digest("hex"), droppedBytes: 0, droppedLines: 0 });
    },
  };
}

function countNewlines(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(newline); at !== -1; at = bytes.indexOf(newline, at + 1)) count += 1;
  return count;
}
