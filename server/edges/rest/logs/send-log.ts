/** Sends logs as they are read, at the client's pace; a log of any size passes through a few hundred KiB. */
import { AppError } from "../../../platform/app-error.ts";
import { parseByteRange } from "../../../platform/http/byte-range.ts";
import type { sentByHandler } from "../route-binder.ts";
import { sendInTurns, type SlowExchange } from "./send-in-turns.ts";
import {
  type LogSelection,
  type Place,
  presentLine,
  type LogView,
  type PlacedLine,
} from "../../../domains/pipelines/domain.ts";

export interface LogExchange extends SlowExchange {
  view: LogView;
  selection: LogSelection;
  from: Place;
  /** Only this many of the last lines. */
  tail: number | undefined;
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
  return sendInTurns(exchange, view.bytes(selection, start + range.start, start + range.end));
}

export async function sendLines(exchange: LogExchange): Promise<typeof sentByHandler> {
  const { view, selection, from, tail } = exchange;
  const lines = tail === undefined ? view.lines(selection, from) : await view.tail(selection, tail);
  exchange.res.setHeader("Content-Type", "application/x-ndjson; charset=utf-8");
  return sendInTurns(exchange, encodeLines(lines));
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
