/** Takes a commit object apart into its signature and what was signed, as Git does (commit.c). */

export interface CommitSignature {
  armored: Buffer;
  /** The commit without its signatures. */
  payload: Buffer;
}

/** A signature with the largest RSA key and a chain of OpenPGP packets is some KiB. */
const maxSignatureBytes = 64 * 1024;

/**
 * `malformed`: there are several, which Git joins to one that nobody made, or it is longer than any that a program makes.
 * `header` begins with one of the names below.
 */
export type SplitCommit = CommitSignature | "unsigned" | "malformed";

const signature = "gpgsig ";
/** Also of `gpgsig-sha256`, which is of the same commit in another form and no part of what this one signs. */
const anySignature = "gpgsig";

export function splitCommit(bytes: Buffer): SplitCommit {
  const end = bytes.indexOf("\n\n");
  const lines = linesOf(bytes.subarray(0, end < 0 ? bytes.length : end + 1));
  const kept: Buffer[] = [];
  const found: Buffer[][] = [];
  let into: Buffer[] | undefined = kept;
  for (const line of lines) {
    if (line[0] !== space) into = startsWith(line, signature) ? begin(found) : keptOrNot(line, kept);
    into?.push(into === kept ? line : valueOf(line));
  }
  if (found.length === 0) return "unsigned";
  const armored = Buffer.concat(found[0]!);
  if (found.length > 1 || armored.length > maxSignatureBytes) return "malformed";
  return { armored, payload: Buffer.concat([...kept, end < 0 ? Buffer.alloc(0) : bytes.subarray(end + 1)]) };
}

const space = 0x20;

function begin(found: Buffer[][]): Buffer[] {
  const lines: Buffer[] = [];
  found.push(lines);
  return lines;
}

function keptOrNot(line: Buffer, kept: Buffer[]): Buffer[] | undefined {
  return startsWith(line, anySignature) ? undefined : kept;
}

/** Continued lines begin with a space, which is not part of the value. */
function valueOf(line: Buffer): Buffer {
  return line.subarray(line[0] === space ? 1 : signature.length);
}

/** Each with its line break. */
function linesOf(head: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  for (let at = 0; at < head.length;) {
    const end = head.indexOf("\n", at);
    const next = end < 0 ? head.length : end + 1;
    lines.push(head.subarray(at, next));
    at = next;
  }
  return lines;
}

function startsWith(line: Buffer, text: string): boolean {
  return line.toString("latin1", 0, text.length) === text;
}

/** The commit with a signature of ours, at the end of its head as Git writes it. */
export function withSignature(bytes: Buffer, armored: string): Buffer {
  const end = bytes.indexOf("\n\n");
  const value = armored.trimEnd().replaceAll("\n", "\n ");
  return Buffer.concat([
    bytes.subarray(0, end + 1),
    Buffer.from(`${signature}${value}\n`),
    bytes.subarray(end + 1),
  ]);
}
