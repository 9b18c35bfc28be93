/** Times and spans of Temporal's protocol. */
interface Parts {
  seconds?: { toNumber(): number } | null;
  nanos?: number | null;
}

/** null for none. */
export function timeOf(parts: Parts | null | undefined): Date | null {
  return parts ? new Date(millisecondsOf(parts)) : null;
}

export function millisecondsOf({ seconds, nanos }: Parts): number {
  return (seconds?.toNumber() ?? 0) * 1000 + Math.floor((nanos ?? 0) / 1e6);
}
