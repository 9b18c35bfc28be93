/** Allowed names of Git objects and refs: stricter than Git where Git's own tools would fail. */

export const zeroId = "0".repeat(40);

/** Namespaces that only the server itself writes. */
export const reservedRefs: readonly string[] = [
  "refs/internal/",
  "refs/merge-requests/",
  "refs/merge-queue/",
];

/** Below it, the heads of merge requests stay, also when their branches are gone. */
export const mergeRequestRefs = "refs/merge-requests";

/** Below it, what branches are about to become stays while it is tested. */
export const mergeQueueRefs = "refs/merge-queue";

/** Below it, syncs keep what they take refs from. */
export const keptRefs = "refs/internal/kept";

/** Git knows this tree in every repository. */
export const emptyTree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

/** A full object id; abbreviated ones are never accepted from outside. */
export function isObjectId(text: string): boolean {
  return /^[0-9a-f]{40}$/.test(text);
}

// The rules of `git check-ref-format`, written out so that judging a name starts no process.
const forbidden = /[\0-\x20\x7f~^:?*[\\]|\.\.|@\{|\/\/|^\/|\/$|\.$/;

/** True for what Git accepts as a ref name or the short form of one, and that no tool can take for an option. */
export function isSafeRefName(name: string): boolean {
  if (name.length === 0 || name.length > 1024 || name === "@" || forbidden.test(name)) return false;
  if (name.startsWith("-")) return false;
  return name.split("/").every((part) => !part.startsWith(".") && !part.endsWith(".lock"));
}

/** The name that people use: `refs/heads/a/b` → `a/b`, `refs/tags/v1` → `v1`; other refs without `refs/`. */
export function shortRefName(ref: string): string {
  return ref.replace(/^refs\/(?:heads\/|tags\/)?/, "");
}
