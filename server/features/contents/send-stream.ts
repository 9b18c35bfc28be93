/** Hands the output of a Git process to a client at the client's pace, in a few hundred KiB of memory. */
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Response } from "express";
import { AppError } from "../../platform/app-error.ts";
import type { StartedProcess } from "../../platform/processes/started-process.ts";
import type { Actor } from "../identity/actor.ts";

export interface StreamGate {
  /** Runs with a place in the process's share of streams; throws `unavailable` when all, or all of this reader, are taken. */
  enter<T>(reader: string, run: () => Promise<T>): Promise<T>;
}

/** Each stream holds a Git process for as long as its reader takes. */
export function createStreamGate(limits: { all: number; each: number }): StreamGate {
  const streams = new Map<string, number>();
  let all = 0;
  return {
    async enter(reader, run) {
      const own = streams.get(reader) ?? 0;
      if (all >= limits.all || own >= limits.each)
        throw new AppError("unavailable", {
          message: "Too many downloads are under way.",
          retryAfterSeconds: 5,
        });
      all += 1;
      streams.set(reader, own + 1);
      try {
        return await run();
      } finally {
        all -= 1;
        const left = (streams.get(reader) ?? 1) - 1;
        if (left > 0) streams.set(reader, left);
        else streams.delete(reader);
      }
    },
  };
}

/** Who counts as one: a user, else an address. */
export function readerOf(actor: Actor): string {
  return actor.userId ?? actor.request?.ipAddress ?? actor.kind;
}

/** `onStart` sees the beginning before any header is sent. Throws when Git fails at once; cuts the connection later. */
export async function sendOutput(
  child: StartedProcess,
  res: Response,
  onStart: (beginning: Buffer) => void,
): Promise<void> {
  child.stderr?.resume();
  const output = (child.stdout as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
  const first = await output.next();
  if (first.done && (await child.closed) !== 0) throw new Error("Git gave nothing to send");
  const beginning = first.done ? Buffer.alloc(0) : first.value;
  onStart(beginning);
  async function* parts() {
    yield beginning;
    for (let next = await output.next(); !next.done; next = await output.next()) yield next.value;
    if ((await child.closed) !== 0) throw new Error("Git ended early");
  }
  try {
    await pipeline(Readable.from(parts(), { objectMode: false }), res);
  } catch (error) {
    // Half an answer cannot be taken back; the client sees the connection end.
    if (!res.destroyed) res.destroy(error as Error);
  }
}
