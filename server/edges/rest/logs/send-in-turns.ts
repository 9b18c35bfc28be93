/** Sends an answer as it is read, at the client's pace. */
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Request, Response } from "express";
import { sentByHandler } from "../route-binder.ts";

export interface SlowExchange {
  req: Request;
  res: Response;
  /** As in `RouteInput`. */
  turn(): Promise<() => void>;
}

export async function sendInTurns(
  { req, res, turn }: SlowExchange,
  parts: AsyncIterable<Buffer | string>,
): Promise<typeof sentByHandler> {
  if (req.method === "HEAD") {
    res.end();
    return sentByHandler;
  }
  try {
    await pipeline(Readable.from(inTurns(parts, turn), { objectMode: false, highWaterMark: 64 * 1024 }), res);
  } catch (error) {
    // An answer that has begun cannot be changed; the client sees the connection end before the announced length.
    if (!res.destroyed) res.destroy(error as Error);
  }
  return sentByHandler;
}

/** Each piece takes a slot of its own: a thousand reads at once would block the database for everybody else. */
async function* inTurns<T>(parts: AsyncIterable<T>, turn: SlowExchange["turn"]): AsyncGenerator<T> {
  const iterator = parts[Symbol.asyncIterator]();
  try {
    for (;;) {
      const leave = await turn();
      const next = await iterator.next().finally(leave);
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    await iterator.return?.();
  }
}
