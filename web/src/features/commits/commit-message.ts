/** The parts of a commit's message. */

/** The first line of a commit's message. */
export function titleOf(message: string): string {
  return message.split("\n", 1)[0]?.trim() || "…";
}

/** What follows the first line; empty where nothing does. */
export function bodyOf(message: string): string {
  const end = message.indexOf("\n");
  return end < 0 ? "" : message.slice(end + 1).trim();
}
