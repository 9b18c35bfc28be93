/** Takes a commit object apart into its signature and what was signed, as Git does (commit.c). */

export interface CommitSignature {
  armored: Buffer;
  /** The commit without its signatures. */
  payload: Buffer;
}

/** A signature with the largest RSA key and a chain of OpenPGP packets is some KiB. */
const maxSignatureBytes = 64 * 1024;
/** With the signature, and the tags that a merge names, each with its own. */
const maxHeadBytes = 128 * 1024;

/**
 * `malformed`: there are several, which Git joins to one that nobody made, or they or the head are longer than any that a program
 * makes. A head without any is `unsigned`, however long.
 */
export type SplitCommit = CommitSignature | "unsigned" | "malformed";

const signature = "gpgsig ";
/** Also of `gpgsig-sha256`, which is of the same commit in another form and no part of what this one signs. */
const anySignature = "gpgsig";

/** Looks at no line but those of signatures: a head may consist of half a million. */
export function splitCommit(bytes: Buffer): SplitCommit {
  const end = bytes.indexOf("\n\n");
  const head = bytes.subarray(0, end < 0 ? bytes.length : end + 1);
  const first = head.indexOf(`\n${signature}`);
  if (first < 0) return "unsigned";
  if (head.length > maxHeadBytes || head.indexOf(`\n${signature}`, first + 1) >= 0) return "malformed";
  const armored = valueAt(head, first + 1);
  if (armored.length > maxSignatureBytes) return "malformed";
  return { armored, payload: Buffer.concat([...withoutSignatures(head), bytes.subarray(head.length)]) };
}

/** What is left of the head, in pieces. */
function withoutSignatures(head: Buffer): Buffer[] {
  const kept: Buffer[] = [];
  let from = 0;
  for (let at = nextSignature(head, 0); at > 0; at = nextSignature(head, from)) {
    kept.push(head.subarray(from, at));
    from = endOfHeader(head, at);
  }
  return [...kept, head.subarray(from)];
}

/** Where its line begins; 0: there is none. */
function nextSignature(head: Buffer, from: number): number {
  return head.indexOf(`\n${anySignature}`, Math.max(0, from - 1)) + 1;
}

const space = 0x20;
const lineBreak = 0x0a;

/** Continued lines begin with a space. */
function endOfHeader(head: Buffer, at: number): number {
  let next = head.indexOf(lineBreak, at) + 1;
  while (next > 0 && head[next] === space) next = head.indexOf(lineBreak, next) + 1;
  return next > 0 ? next : head.length;
}

/** With its line breaks, and without the spaces that continue it. */
function valueAt(head: Buffer, at: number): Buffer {
  const text = head.toString("latin1", at + signature.length, endOfHeader(head, at));
  return Buffer.from(text.replaceAll("\n ", "\n"), "latin1");
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
