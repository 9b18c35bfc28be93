/** What a list of names becomes when some are added and others taken off. Pure. */

/** Undefined where nothing is asked for. Case does not matter; what is added comes last, so that of two labels of one scope it stays. */
export function changedNames(
  before: readonly string[],
  { add, remove }: { add: readonly string[] | undefined; remove: readonly string[] | undefined },
): string[] | undefined {
  if (add === undefined && remove === undefined) return undefined;
  const gone = new Set((remove ?? []).map(lower));
  const all = new Map([...before, ...(add ?? [])].map((name) => [lower(name), name] as const));
  const last = new Set((add ?? []).map(lower));
  const ordered = [...all].toSorted(([a], [b]) => Number(last.has(a)) - Number(last.has(b)));
  return ordered.flatMap(([key, name]) => (gone.has(key) ? [] : [name]));
}

const lower = (name: string) => name.toLowerCase();
