/** Sends and receives objects at the client's pace, in little memory. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { AppError } from "../../platform/app-error.ts";
import { parseByteRange } from "../../platform/http/byte-range.ts";
import { mismatch, type LfsLink, type LfsTransfers } from "../../domains/hosting/domain.ts";

/** Whole or one range, as a download that continues asks for. Throws before anything is sent, cuts the connection later. */
export async function sendObject(
  transfers: LfsTransfers,
  link: LfsLink,
  { req, res }: { req: IncomingMessage; res: ServerResponse },
): Promise<void> {
  const { repositoryId, oid, sizeBytes } = link;
  const etag = `"${oid}"`;
  const isSame = req.headers["if-range"] === undefined || req.headers["if-range"] === etag;
  const range = parseByteRange(isSame ? req.headers.range : undefined, sizeBytes);
  if (range === "unsatisfiable") {
    res.setHeader("Content-Range", `bytes */${sizeBytes}`);
    throw new AppError("range_not_satisfiable");
  }
  const part = range === "whole" ? undefined : range;
  const stream = await transfers.open(repositoryId, { oid, sizeBytes }, part);
  res.writeHead(part ? 206 : 200, {
    "Content-Type": "application/octet-stream",
    "Content-Disposition": "attachment",
    "Content-Length": part ? part.end - part.start : sizeBytes,
    "Accept-Ranges": "bytes",
    "Cache-Control": "private, no-transform, max-age=900",
    ETag: etag,
    ...(part && { "Content-Range": `bytes ${part.start}-${part.end - 1}/${sizeBytes}` }),
  });
  await pipeline(stream, res).catch(() => res.destroy());
}

/** Checks what can be checked before a byte is read. Throws `validation_failed`, `unsupported_media_type`. */
export function requireAnnounced(req: IncomingMessage, { sizeBytes }: LfsLink): void {
  const length = req.headers["content-length"];
  if ((req.headers["content-encoding"] ?? "identity") !== "identity")
    throw new AppError("unsupported_media_type", { message: "Objects must be sent uncompressed." });
  if (length !== undefined && Number(length) !== sizeBytes)
    throw mismatch(`The request has ${length} bytes, but ${sizeBytes} were announced.`);
}
