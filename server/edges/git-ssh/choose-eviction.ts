/** Chooses the connection to close when too many have not logged in. Pure. */

/**
 * The oldest connection of the address with the most, if those are more than the new connection's address has; otherwise
 * undefined, and the new connection is refused. `strangers` are in order of arrival.
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
