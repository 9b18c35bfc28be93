/** Copies of files of a job without its secrets, for what people see outside of its log. */
import type { FileHandle } from "node:fs/promises";
import { setImmediate as nextTurn } from "node:timers/promises";
import { maskChunk } from "../logs/masker.ts";

const pieceBytes = 1024 * 1024;

/** Each occurrence becomes `***`, as in logs. */
export function masked(forms: readonly Buffer[], bytes: Buffer): Buffer {
  return maskChunk(forms, { raw: bytes, covered: 0, final: true }).out;
}

export interface MaskedCopy {
  forms: readonly Buffer[];
  from: FileHandle;
  to: FileHandle;
  /** The job may still write to the file: more than this is not read. */
  maxBytes: number;
}

/** Bytes written. Lets others have their turn in between: with many secrets this is much work. */
export async function copyMasked({ forms, from, to, maxBytes }: MaskedCopy): Promise<number> {
  let raw = Buffer.alloc(0);
  let covered = 0;
  let written = 0;
  let left = maxBytes;
  for (let final = false; !final;) {
    const piece = Buffer.allocUnsafe(pieceBytes);
    const { bytesRead } = await from.read(piece, 0, Math.min(pieceBytes, left));
    left -= bytesRead;
    final = bytesRead === 0;
    raw = Buffer.concat([raw, piece.subarray(0, bytesRead)]);
    const step = maskChunk(forms, { raw, covered, final });
    await to.write(step.out);
    written += step.out.length;
    raw = raw.subarray(step.consumed);
    covered = step.covered;
    await nextTurn();
  }
  return written;
}
