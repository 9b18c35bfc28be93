/** The body of a Git request as a stream: checks its type, and decompresses it if necessary. */
import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { AppError } from "../../platform/app-error.ts";
import type { GitService } from "./git-address.ts";

export function requestBody(req: IncomingMessage, service: GitService): Readable {
  if (req.headers["content-type"] !== `application/x-git-${service}-request`)
    throw new AppError("unsupported_media_type", {
      message: `The content type must be application/x-git-${service}-request.`,
    });
  // The body of a destroyed request never ends.
  if (req.destroyed) throw brokeOff();
  const encoding = req.headers["content-encoding"];
  if (encoding === undefined || encoding === "identity") return req;
  if (encoding !== "gzip" && encoding !== "x-gzip")
    throw new AppError("unsupported_media_type", { message: "The content encoding must be gzip." });
  const gunzip = createGunzip();
  // It may fail before anybody reads from it; the reader then gets the error.
  gunzip.on("error", () => undefined);
  req.on("error", (error) => gunzip.destroy(error));
  req.on("aborted", () => gunzip.destroy());
  return req.pipe(gunzip);
}

/** The error for a body that could not be read to its end. */
export function bodyProblem(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const isPacked = String((error as NodeJS.ErrnoException).code).startsWith("Z_");
  return isPacked
    ? new AppError("bad_request", { message: "The body is not valid gzip.", cause: error })
    : brokeOff(error);
}

function brokeOff(cause?: unknown): AppError {
  return new AppError("bad_request", { message: "The body ended early.", cause });
}
