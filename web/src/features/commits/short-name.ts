/** Ids of commits as people read them. */
const fullId = /^[0-9a-f]{40}$/;
const shownDigits = 8;

/** A full id shortened; a branch or tag as it is. */
export function shortName(ref: string): string {
  return fullId.test(ref) ? ref.slice(0, shownDigits) : ref;
}

export function isCommitId(ref: string): boolean {
  return fullId.test(ref);
}

/** The first line of a commit's message. */
export function titleOf(message: string): string {
  return message.split("\n", 1)[0]?.trim() || "…";
}

/** What follows the first line; empty where nothing does. */
export function bodyOf(message: string): string {
  const end = message.indexOf("\n");
  return end < 0 ? "" : message.slice(end + 1).trim();
}
