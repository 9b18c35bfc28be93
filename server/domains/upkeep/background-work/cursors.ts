/** Temporal's page tokens as signed cursors, because Temporal reports an invalid token as an internal error. */
import { AppError } from "../../../platform/app-error.ts";
import type { Signer } from "../../../platform/keys/signer.ts";

export interface WorkCursors {
  /** null for an empty token: there is no further page. */
  write(token: Uint8Array): string | null;
  /** Throws `bad_request` for what this instance did not sign. */
  read(cursor: string): Buffer;
}

const sealBytes = 16;

export function createWorkCursors(signer: Signer): WorkCursors {
  const sign = (token: Uint8Array) => signer.sign(token).subarray(0, sealBytes);
  return {
    write: (token) => (token.length === 0 ? null : Buffer.concat([sign(token), token]).toString("base64url")),
    read(cursor) {
      const bytes = Buffer.from(cursor, "base64url");
      const token = bytes.subarray(sealBytes);
      if (token.length === 0 || !signer.proves(bytes.subarray(0, sealBytes), sealBytes, token))
        throw new AppError("bad_request", { message: "cursor: is not from an answer of this list." });
      return token;
    },
  };
}
