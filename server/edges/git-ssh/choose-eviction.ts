/** Chooses the connection to close when too many have not logged in. Pure. */

/**
 * The oldest of the address that has most of them, if that is more than the newcomer's has; undefined else, and the newcomer
 * is turned away. `strangers` are in the order in which they came.
 */
export function chooseEviction<S extends { block: string }>(
  strangers: readonly S[],
  newcomer: string,
): S | undefined {
  const counts = new Map<string, number>();
  for (const { block } of strangers) counts.set(block, (counts.get(block) ?? 0) + 1);
  const max = Math.max(0, ...counts.values());
  if (max <= (counts.get(newcomer) ?? 0)) return undefined;
  return strangers.find(({ block }) => counts.get(block) === max);
}
