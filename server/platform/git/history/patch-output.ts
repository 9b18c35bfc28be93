/** Reads what `git diff-tree --patch` prints about files whose names are numbers, and counts lines. */

export interface PatchLimits {
  /** Of one patch. */
  bytes: number;
  lines: number;
  /** Of all patches together. */
  allBytes: number;
}

export interface ReadPatch {
  /** null for a binary file. */
  lines: { additions: number; deletions: number } | null;
  /** From the first `@@`; null for a binary file and past a limit. */
  patch: string | null;
}

export interface PatchReader {
  /** Of a line that is longer than a patch may be, the beginning is enough. */
  onLine(line: Buffer): void;
  /** Of each file up to this number. Where Git was stopped, the one that it was at and those behind it are undefined. */
  results(count: number, isWhole: boolean): (ReadPatch | undefined)[];
}

/** The file that is being read. */
interface Open {
  file: number;
  additions: number;
  deletions: number;
  isBinary: boolean;
  /** null: past a limit. */
  text: string[] | null;
  bytes: number;
  inHeader: boolean;
}

const opening = /^diff --git a\/(?<file>\d+) b\/\d+$/;
/** What is looked for in headers is short, since names are numbers. */
const maxHeaderLength = 100;
const [plus, minus, firstOfDiff] = [0x2b, 0x2d, 0x64];
/** Git does not mention a file in which no line differs. */
const unchanged: ReadPatch = { lines: { additions: 0, deletions: 0 }, patch: "" };

/**
 * Lines of content begin with a space, a sign or a backslash, so a line that begins with `diff --git` opens the next file. A change
 * of type is shown as a deletion and an addition, which have the same name.
 */
export function createPatchReader(limits: PatchLimits): PatchReader {
  const read = new Map<number, ReadPatch>();
  let open: Open | undefined;
  let total = 0;

  function close(): void {
    if (!open) return;
    const { file, additions, deletions, isBinary, text, bytes } = open;
    const fits = text !== null && total + bytes <= limits.allBytes;
    if (fits) total += bytes;
    const patch = fits && !isBinary ? text.join("\n") : null;
    read.set(file, { lines: isBinary ? null : { additions, deletions }, patch });
    open = undefined;
  }

  function start(file: number): void {
    if (open?.file === file) {
      open.inHeader = true;
      return;
    }
    close();
    const nothing = { additions: 0, deletions: 0, isBinary: false, text: [], bytes: 0 };
    open = { ...nothing, file, inHeader: true };
  }

  function add(to: Open, line: Buffer): void {
    if (line[0] === plus) to.additions += 1;
    if (line[0] === minus) to.deletions += 1;
    to.bytes += line.length + 1;
    if (to.bytes > limits.bytes || (to.text?.length ?? 0) >= limits.lines) to.text = null;
    to.text?.push(line.toString("utf8"));
  }

  return {
    onLine(line) {
      if (open && !open.inHeader && line[0] !== firstOfDiff) return add(open, line);
      const text = line.toString("latin1", 0, maxHeaderLength);
      const file = opening.exec(text)?.groups?.["file"];
      if (file !== undefined) return start(Number(file));
      if (!open) return;
      if (text.startsWith("Binary files ")) open.isBinary = true;
      if (!text.startsWith("@@")) return;
      open.inHeader = false;
      add(open, line);
    },
    results(count, isWhole) {
      const known = isWhole ? count : (open?.file ?? 0);
      if (isWhole) close();
      return Array.from({ length: count }, (_, file) =>
        file < known ? (read.get(file) ?? unchanged) : undefined,
      );
    },
  };
}
