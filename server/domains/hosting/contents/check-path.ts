/** Which paths can be written: Git's own rules, and those of the systems on which people check them out. */

/** Characters that HFS+ leaves out when it compares names. */
const ignoredByHfs = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/gu;

/** What is wrong, in words; undefined when it can be written. */
export function pathProblem(path: string): string | undefined {
  if (path === "") return "A path is required.";
  if (/\p{Cc}/u.test(path)) return "A path cannot have control characters.";
  if (path.includes("\\")) return "A path cannot have backslashes.";
  if (Buffer.byteLength(path) > 4096) return "A path can have 4096 bytes at most.";
  for (const part of path.split("/")) {
    if (part === "") return "A path is relative, and has no empty parts.";
    if (part === "." || part === "..") return "A path cannot have the parts `.` and `..`.";
    if (Buffer.byteLength(part) > 255) return "Each part of a path can have 255 bytes at most.";
    if (isGitDirectory(part)) return "A path cannot have a part that some system takes for `.git`.";
  }
  return undefined;
}

function isGitDirectory(part: string): boolean {
  // Windows ignores what follows a colon, and dots and spaces at the end.
  const plain = part
    .replaceAll(ignoredByHfs, "")
    .toLowerCase()
    .replace(/:.*$/s, "")
    .replace(/[. ]+$/, "");
  return plain === ".git" || /^git~\d+$/.test(plain);
}
