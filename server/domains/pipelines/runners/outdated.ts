/** Whether a runner is older than the server. */

/** By the three numbers of both versions. False for a runner that has not told its version yet. */
export function isOutdated(version: string, serverVersion: string): boolean {
  const own = numbersOf(version);
  const server = numbersOf(serverVersion);
  if (!own || !server) return false;
  const at = own.findIndex((number, place) => number !== server[place]);
  return at >= 0 && (own[at] ?? 0) < (server[at] ?? 0);
}

function numbersOf(version: string): number[] | null {
  const parts = /^(\d{1,9})\.(\d{1,9})\.(\d{1,9})/.exec(version);
  return parts && parts.slice(1).map(Number);
}
