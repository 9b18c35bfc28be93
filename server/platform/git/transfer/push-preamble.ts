/**
 * Limits what a push sends before its pack: the list of refs, `shallow` lines, a certificate, options. Git keeps all of it in
 * memory without a limit.
 */
import { AppError } from "../../app-error.ts";

/** About 150,000 refs. */
const maxPreambleBytes = 16 * 1024 * 1024;

/**
 * Looks at the pieces of one push as they come; what follows the word PACK is not looked at. Throws `payload_too_large`, and
 * `bad_request` for what is neither a packet nor a pack.
 */
export function createPreambleLimit(maxBytes: number = maxPreambleBytes): (chunk: Buffer) => void {
  let size = 0;
  let head = "";
  /** Bytes of the packet in work that are yet to come. */
  let left = 0;
  let over = false;

  return (chunk) => {
    let at = 0;
    while (!over && at < chunk.length) {
      const step = left > 0 ? Math.min(left, chunk.length - at) : 1;
      size += step;
      if (size > maxBytes)
        throw new AppError("payload_too_large", { message: "The list of refs of this push is too long." });
      if (left > 0) left -= step;
      else {
        head += String.fromCharCode(chunk[at]!);
        if (head.length === 4) {
          over = head === "PACK";
          left = over ? 0 : contentLength(head);
          head = "";
        }
      }
      at += step;
    }
  };
}

/** 0 for the separators, and for a packet of nothing. */
function contentLength(head: string): number {
  const length = /^[0-9a-fA-F]{4}$/.test(head) ? Number.parseInt(head, 16) : -1;
  if (length < 0 || length === 3)
    throw new AppError("bad_request", { message: "This is not Git's protocol." });
  return Math.max(0, length - 4);
}
