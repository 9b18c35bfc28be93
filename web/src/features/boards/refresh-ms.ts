/** How often a board asks for what others did. */

const perRequestMs = 3_000;
const leastMs = 15_000;
const mostMs = 60_000;

/**
 * A board with many columns, or many fetched pages of one, asks less often, so that it takes about 20 requests a minute of the 5,000 that
 * somebody has in an hour, but at least once a minute. Who is not signed in has 60, which belong to everybody at the same address: never.
 */
export function refreshMs({
  isSignedIn,
  columns,
  pages = 1,
}: {
  isSignedIn: boolean;
  columns: number;
  pages?: number;
}): number | false {
  return isSignedIn && Math.min(mostMs, Math.max(leastMs, perRequestMs * columns * Math.max(1, pages)));
}
