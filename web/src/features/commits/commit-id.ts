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
