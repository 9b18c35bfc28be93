/** Sends the output of a Git process at the client's pace, in a few hundred KiB of memory. */
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Request, Response } from "express";
import type { Pace, PaceLimits } from "../../../platform/git/processes/pace.ts";
import type { StartedProcess } from "../../../platform/processes/started-process.ts";
import { sentByHandler } from "../route-binder.ts";

export interface Download {
  req: Request;
  res: Response;
  limits: PaceLimits;
  /** Aborts when the client goes. */
  signal: AbortSignal;
}

/** `onStart` sees the beginning before any header is sent. Throws when Git fails at once; cuts the connection later. */
export async function sendOutput(
  child: StartedProcess,
  { res, pace }: { res: Response; pace: Pace },
  onStart: (beginning: Buffer) => void,
): Promise<typeof sentByHandler> {
  child.stderr?.resume();
  const output = (child.stdout as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
  const first = await output.next();
  if (first.done && (await child.closed) !== 0) throw new Error("Git gave nothing to send");
  const beginning = first.done ? Buffer.alloc(0) : first.value;
  onStart(beginning);
  async function* parts() {
    let taken: (() => void) | undefined;
    try {
      for (let next = first; !next.done; next = await output.next()) {
        taken = pace.wait();
        yield next.value;
        taken();
        pace.moved(next.value.length);
      }
    } finally {
      taken?.();
      // The rest that a disconnected client has not read would stay open forever.
      await output.return?.();
    }
    if ((await child.closed) !== 0) throw new Error("Git ended early");
  }
  try {
    await pipeline(Readable.from(parts(), { objectMode: false }), res);
  } catch (error) {
    // An answer that has begun cannot be changed; the client sees that the connection ends.
    if (!res.destroyed) res.destroy(error as Error);
  }
  return sentByHandler;
}
