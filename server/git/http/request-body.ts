/** The body of a Git request as a stream: the right type, and unpacked where the client packed it. */
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
  const encoding = req.headers["content-encoding"];
  if (encoding === undefined || encoding === "identity") return req;
  if (encoding !== "gzip" && encoding !== "x-gzip")
    throw new AppError("unsupported_media_type", { message: "The content encoding must be gzip." });
  const gunzip = createGunzip();
  req.on("error", (error) => gunzip.destroy(error));
  req.on("aborted", () => gunzip.destroy());
  return req.pipe(gunzip);
}
