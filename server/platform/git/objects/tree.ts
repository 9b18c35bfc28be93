/** Reads a tree object: `<mode> <name>\0<20 byte id>`, one entry after the other. */

export interface TreeEntry {
  name: string;
  oid: string;
  type: "file" | "directory" | "symlink" | "submodule";
  executable: boolean;
}

export function parseTree(bytes: Buffer): TreeEntry[] {
  const entries: TreeEntry[] = [];
  let at = 0;
  while (at < bytes.length) {
    const space = bytes.indexOf(0x20, at);
    const end = bytes.indexOf(0, space);
    if (space < 0 || end < 0 || end + 21 > bytes.length) throw new Error("a tree object is cut off");
    const mode = bytes.toString("latin1", at, space);
    entries.push({
      name: bytes.toString("utf8", space + 1, end),
      oid: bytes.toString("hex", end + 1, end + 21),
      type: typeOfMode(mode),
      executable: mode === "100755",
    });
    at = end + 21;
  }
  return entries;
}

function typeOfMode(mode: string): TreeEntry["type"] {
  if (mode === "40000") return "directory";
  if (mode === "120000") return "symlink";
  return mode === "160000" ? "submodule" : "file";
}

/** A path inside a tree, as data: relative, without the empty, `.` and `..` parts that Git never stores. */
export function isTreePath(path: string): boolean {
  if (path === "") return true;
  // A line feed would end the request line of `cat-file`.
  if (/[\0\n]/.test(path) || path.length > 4096) return false;
  return path.split("/").every((part) => part !== "" && part !== "." && part !== "..");
}
