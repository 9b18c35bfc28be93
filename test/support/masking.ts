/** The masking of a stream in chunks, and what it must come to. */
import { maskChunk } from "@forgeline/runner/logs/masker.ts";

/** Feeds a stream in chunks as the reader does: what is not consumed comes again with what follows. */
export function maskInChunks(forms: readonly Buffer[], raw: Buffer, cuts: readonly number[]): Buffer {
  const out: Buffer[] = [];
  let at = 0;
  let covered = 0;
  for (const end of [...cuts, raw.length]) {
    const step = maskChunk(forms, {
      raw: raw.subarray(at, Math.max(at, end)),
      covered,
      final: end === raw.length,
    });
    out.push(Buffer.from(step.out));
    at += step.consumed;
    covered = step.covered;
  }
  return Buffer.concat(out);
}

/** The definition, said the slow way: mark every covered byte, then write each overlapping run once. */
export function maskByDefinition(forms: readonly Buffer[], raw: Buffer): string {
  const found: [number, number][] = [];
  for (const form of forms)
    for (let at = raw.indexOf(form); at !== -1; at = raw.indexOf(form, at + 1))
      found.push([at, at + form.length]);
  found.sort((a, b) => a[0] - b[0]);
  let out = "";
  let end = 0;
  for (const [from, to] of found) {
    if (from >= end) out += `${raw.subarray(end, from).toString("latin1")}***`;
    end = Math.max(end, to);
  }
  return out + raw.subarray(end).toString("latin1");
}
