/**
 * The progress of a long proof, signed, so that it can continue in another request and on another server without trusting the
 * client.
 */
import { z } from "zod";
import { signatureBytes, type Signer } from "../../../platform/keys/signer.ts";

const Position = z.strictObject({
  chain: z.string(),
  /** The last link proved, and its hash; 0 and 32 zero bytes at the beginning. */
  number: z.number().int().min(0),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  /** Null while links are being proved; then the last entry that is known to have one. */
  entrySeq: z.number().int().min(0).nullable(),
});
export type Position = z.infer<typeof Position>;

export function startOfChain(chain: string): Position {
  return { chain, number: 0, hash: "0".repeat(64), entrySeq: null };
}

export interface ProofCursors {
  write(position: Position): string;
  /** Undefined for a cursor that this instance did not sign, or that belongs to another chain. */
  read(cursor: string, chain: string): Position | undefined;
}

export function createProofCursors(signer: Signer): ProofCursors {
  // Apart from points in the object store, which the same key signs.
  const signed = (body: string) => `proof cursor ${body}`;
  return {
    write(position) {
      const body = Buffer.from(JSON.stringify(position)).toString("base64url");
      return `${body}.${signer.sign(signed(body)).toString("base64url")}`;
    },
    read(cursor, chain) {
      const [body = "", given = ""] = cursor.split(".");
      const signature = Buffer.from(given, "base64url");
      if (!signer.proves(signature, signatureBytes, signed(body))) return undefined;
      const position = Position.parse(JSON.parse(Buffer.from(body, "base64url").toString("utf8")));
      return position.chain === chain ? position : undefined;
    },
  };
}
