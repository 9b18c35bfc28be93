/** Durations and sizes of the file: `1h30m` and `512Mi` to numbers. The schemas have checked the form. */

const unitMs: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Milliseconds. `Infinity` for numbers beyond all limits. */
export function durationMs(text: string): number {
  let sum = 0;
  for (const [, digits = "", unit = ""] of text.matchAll(/([0-9]+)(s|m|h|d)/g)) {
    sum += Number(digits) * (unitMs[unit] ?? 0);
  }
  return sum;
}

const unitBytes: Readonly<Record<string, number>> = { Ki: 1024, Mi: 1024 ** 2, Gi: 1024 ** 3 };

/** Bytes, rounded. */
export function sizeBytes(text: string): number {
  const [, digits = "", unit = ""] = /^([0-9.]+)(Ki|Mi|Gi)$/.exec(text) ?? [];
  return Math.round(Number(digits) * (unitBytes[unit] ?? 0));
}
