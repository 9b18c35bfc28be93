/** Sends an artifact or one of its files, whole or one range, at the client's pace; never as a page that a browser runs. */
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Request, Response } from "express";
import { AppError } from "../../../platform/app-error.ts";
import { parseByteRange } from "../../../platform/http/byte-range.ts";
import { sentByHandler } from "../route-binder.ts";

/** Bytes to send. */
export interface Download {
  fileName: string;
  contentType: string;
  /** A page may show it. */
  isInline?: boolean;
  sizeBytes: number;
  read(range: { start: number; end: number }): AsyncIterable<Buffer>;
}

/** Throws `range_not_satisfiable`; cuts the connection where the store fails later. */
export async function sendDownload(
  download: Download,
  { req, res }: { req: Request; res: Response },
): Promise<typeof sentByHandler> {
  const range = chooseRange(download, req, res);
  res.setHeader("Content-Type", download.contentType);
  res.setHeader("Content-Disposition", disposition(download));
  res.setHeader("Accept-Ranges", "bytes");
  res.setHeader("Content-Length", range.end - range.start);
  if (req.method === "HEAD") {
    res.end();
    return sentByHandler;
  }
  try {
    await pipeline(Readable.from(download.read(range), { objectMode: false }), res);
  } catch (error) {
    // An answer that has begun cannot be changed; the client sees that the connection ends early.
    if (!res.destroyed) res.destroy(error as Error);
  }
  return sentByHandler;
}

function chooseRange(download: Download, req: Request, res: Response) {
  const ifRange = req.headers["if-range"];
  const isSame = ifRange === undefined || ifRange === res.getHeader("ETag");
  const wanted = parseByteRange(isSame ? req.headers.range : undefined, download.sizeBytes);
  if (wanted === "unsatisfiable") {
    res.removeHeader("ETag");
    res.setHeader("Content-Range", `bytes */${download.sizeBytes}`);
    throw new AppError("range_not_satisfiable");
  }
  if (wanted === "whole") return { start: 0, end: download.sizeBytes };
  res.statusCode = 206;
  res.setHeader("Content-Range", `bytes ${wanted.start}-${wanted.end - 1}/${download.sizeBytes}`);
  return wanted;
}

/** RFC 6266: a plain name for old clients, and the whole one for those that can read it. */
function disposition({ fileName, isInline = false }: Download): string {
  const plain = fileName.replace(/[^A-Za-z0-9._ -]/g, "_");
  const whole = encodeURIComponent(fileName.toWellFormed()).replace(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${isInline ? "inline" : "attachment"}; filename="${plain}"; filename*=UTF-8''${whole}`;
}
