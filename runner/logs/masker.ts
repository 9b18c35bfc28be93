/**
 * Masking as a pure function of the raw stream: a byte is masked exactly if some form covers it, each run of
 * overlapping occurrences becomes one `***`, however the stream is cut into chunks. Bytes that may be the beginning
 * of a form are held back by not consuming them: the caller gives them again with what follows.
 */
export const maskText = Buffer.from("***");

export interface MaskStep {
  out: Buffer;
  /** Bytes of the input that are settled; the rest must be given again. */
  consumed: number;
  /** How many bytes after `consumed` are part of an occurrence whose `***` is already in `out`. */
  covered: number;
}

/** `covered` comes from the step before (0 at first); `final` says that nothing follows. */
export function maskChunk(
  forms: readonly Buffer[],
  { raw, covered, final }: { raw: Buffer; covered: number; final: boolean },
): MaskStep {
  const settled = final ? raw.length : raw.length - heldBack(forms, raw);
  const found = occurrences(forms, raw, settled);
  if (found.length === 0 && covered === 0)
    return { out: raw.subarray(0, settled), consumed: settled, covered: 0 };
  const parts: Buffer[] = [];
  let runEnd = covered;
  for (const [start, end] of found) {
    if (start >= runEnd) {
      parts.push(raw.subarray(runEnd, start), maskText);
      runEnd = end;
    } else if (end > runEnd) runEnd = end;
  }
  if (runEnd < settled) parts.push(raw.subarray(runEnd, settled));
  return { out: Buffer.concat(parts), consumed: settled, covered: Math.max(0, runEnd - settled) };
}

/** Occurrences that begin before `settled`, by start. */
function occurrences(forms: readonly Buffer[], raw: Buffer, settled: number): [number, number][] {
  const found: [number, number][] = [];
  for (const form of forms)
    for (let at = raw.indexOf(form); at !== -1 && at < settled; at = raw.indexOf(form, at + 1))
      found.push([at, at + form.length]);
  return found.length > 1 ? found.toSorted((a, b) => a[0] - b[0]) : found;
}

/** Length of the longest end of `raw` that is a proper beginning of a form. */
function heldBack(forms: readonly Buffer[], raw: Buffer): number {
  let longest = 0;
  for (const form of forms) {
    const first = form[0] ?? 0;
    const earliest = Math.max(0, raw.length - form.length + 1);
    for (let at = raw.indexOf(first, earliest); at !== -1; at = raw.indexOf(first, at + 1)) {
      const length = raw.length - at;
      if (length <= longest) break;
      if (raw.compare(form, 0, length, at) === 0) longest = length;
    }
  }
  return longest;
}
