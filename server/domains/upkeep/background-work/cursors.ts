/** Temporal's page tokens as signed cursors, because Temporal reports an invalid token as an internal error. */
import { createHmac, timingSafeEqual } from "node:crypto";
import { AppError } from "../../../platform/app-error.ts";

export interface WorkCursors {
  /** null for an empty token: there is no further page. */
  write(token: Uint8Array): string | null;
  /** Throws `bad_request` for what this instance did not sign. */
  read(cursor: string): Buffer;
}

export function createWorkCursors(key: Buffer): WorkCursors {
  const sign = (token: Uint8Array) => createHmac("sha256", key).update(token).digest().subarray(0, 16);
  return {
    write: (token) => (token.length === 0 ? null : Buffer.concat([sign(token), token]).toString("base64url")),
    read(cursor) {
      const bytes = Buffer.from(cursor, "base64url");
      const token = bytes.subarray(16);
      if (bytes.length <= 16 || !timingSafeEqual(bytes.subarray(0, 16), sign(token)))
        throw new AppError("bad_request", { message: "cursor: is not from an answer of this list." });
      return token;
    },
  };
}
