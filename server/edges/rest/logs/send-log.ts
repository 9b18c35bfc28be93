/** Sends logs as they are read, at the client's pace; a log of any size passes through a few hundred KiB. */
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Request, Response } from "express";
import { AppError } from "../../../platform/app-error.ts";
import { parseByteRange } from "../../../platform/http/byte-range.ts";
import { sentByHandler } from "../route-binder.ts";
import {
  type LogSelection,
  type Place,
  presentLine,
  type LogView,
  type PlacedLine,
} from "../../../domains/pipelines/domain.ts";

export interface LogExchange {
  req: Request;
  res: Response;
  view: LogView;
  selection: LogSelection;
  from: Place;
  /** Only this many of the last lines. */
  tail: number | undefined;
  /** As in `RouteInput`. */
  turn(): Promise<() => void>;
}

async function send(
  exchange: LogExchange,
  parts: AsyncIterable<Buffer | string>,
): Promise<typeof sentByHandler> {
  const { req, res } = exchange;
  if (req.method === "HEAD") {
    res.end();
    return sentByHandler;
  }
  try {
    await pipeline(
      Readable.from(inTurns(parts, exchange.turn), { objectMode: false, highWaterMark: 64 * 1024 }),
      res,
    );
  } catch (error) {
    // An answer that has begun cannot be changed; the client sees the connection end before the announced length.
    if (!res.destroyed) res.destroy(error as Error);
  }
  return sentByHandler;
}

/** Each piece takes a slot of its own: a thousand reads at once would block the database for everybody else. */
async function* inTurns<T>(parts: AsyncIterable<T>, turn: LogExchange["turn"]): AsyncGenerator<T> {
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

/** From the requested position; with `Range` on a finished log only that part, 206 or 416. */
export async function sendText(exchange: LogExchange): Promise<typeof sentByHandler> {
  const { view, selection, from, tail } = exchange;
  return sendTextFrom(exchange, await view.startOf(selection, from, tail));
}

async function sendTextFrom(exchange: LogExchange, start: number): Promise<typeof sentByHandler> {
  const { req, res, view, selection } = exchange;
  const length = selection.totalBytes - start;
  res.setHeader("Content-Type", "text/plain; charset=utf-8");
  let range = { start: 0, end: length };
  if (selection.finished) {
    res.setHeader("Accept-Ranges", "bytes");
    const ifRange = req.headers["if-range"];
    const current = ifRange === undefined || ifRange === res.getHeader("ETag");
    const wanted = parseByteRange(current ? req.headers.range : undefined, length);
    if (wanted === "unsatisfiable") {
      res.removeHeader("ETag");
      res.setHeader("Content-Range", `bytes */${length}`);
      throw new AppError("range_not_satisfiable");
    }
    if (wanted !== "whole") {
      range = wanted;
      res.statusCode = 206;
      res.setHeader("Content-Range", `bytes ${range.start}-${range.end - 1}/${length}`);
    }
  }
  res.setHeader("Content-Length", range.end - range.start);
  return send(exchange, view.bytes(selection, start + range.start, start + range.end));
}

export async function sendLines(exchange: LogExchange): Promise<typeof sentByHandler> {
  const { view, selection, from, tail } = exchange;
  const lines = tail === undefined ? view.lines(selection, from) : await view.tail(selection, tail);
  exchange.res.setHeader("Content-Type", "application/x-ndjson; charset=utf-8");
  return send(exchange, encodeLines(lines));
}

async function* encodeLines(lines: AsyncIterable<PlacedLine> | Iterable<PlacedLine>): AsyncGenerator<string> {
  let text = "";
  for await (const placed of lines) {
    text += `${JSON.stringify(presentLine(placed))}\n`;
    if (text.length < 32 * 1024) continue;
    yield text;
    text = "";
  }
  if (text !== "") yield text;
}
