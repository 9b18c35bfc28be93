/** Which paths can be written: Git's own rules, and those of the operating systems on which people check them out. */

/** Characters that HFS+ leaves out when it compares names. */
const ignoredByHfs = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/gu;

/** A message that says what is wrong; undefined if the path can be written. */
export function pathProblem(path: string): string | undefined {
  if (path === "") return "A path is required.";
  if (/\p{Cc}/u.test(path)) return "A path cannot contain control characters.";
  if (path.includes("\\")) return "A path cannot contain backslashes.";
  if (Buffer.byteLength(path) > 4096) return "A path can have at most 4096 bytes.";
  for (const part of path.split("/")) {
    if (part === "") return "A path must be relative, without empty parts.";
    if (part === "." || part === "..") return "A path cannot contain the parts `.` and `..`.";
    if (Buffer.byteLength(part) > 255) return "Each part of a path can have at most 255 bytes.";
    if (isGitDirectory(part)) return "A path cannot contain a part that some systems treat as `.git`.";
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
