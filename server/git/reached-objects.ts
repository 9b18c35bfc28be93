/**
 * Whether visible refs reach objects of any kind. Git knows no cheap question for directories, files and tags: it has to list what
 * the refs reach. A bitmap makes that list quick, and without one what is young comes first; one process does it for all
 * objects of a request, for as long as other questions may take and no longer, and costs less than a clone.
 */
import { patienceMs, tooSlow } from "./read-records.ts";
import { GitError, type StartGit } from "./run-git.ts";

/** All refs but those that only the server reads, as arguments. */
export const visibleRefs: readonly string[] = ["--exclude=refs/internal/*", "--all"];

export interface AskedObjects {
  directory: string;
  /** Full ids of objects that are there. */
  ids: readonly string[];
  signal?: AbortSignal | undefined;
}

/** Throws `unavailable` when that takes too long, `GitError`, or the signal's reason. */
export async function areReachedObjects(startGit: StartGit, asked: AskedObjects): Promise<boolean> {
  return (await areSubtracted(startGit, asked)) || areListed(startGit, asked);
}

const list = ["rev-list", "--use-bitmap-index", "--objects", "--no-object-names", "--in-commit-order"];

/** Quick where Git can use a bitmap. Elsewhere no says nothing: it then looks at the newest directories alone. */
async function areSubtracted(startGit: StartGit, asked: AskedObjects): Promise<boolean> {
  const args = [...list, "--stdin", "--not", ...visibleRefs];
  const input = `${asked.ids.join("\n")}\n`;
  return !(await readUntil(startGit, { ...asked, args, input }, ({ length }) => length > 0));
}

function areListed(startGit: StartGit, asked: AskedObjects): Promise<boolean> {
  return readUntil(startGit, { ...asked, args: [...list, ...visibleRefs], input: "" }, searchFor(asked.ids));
}

/** Whether there was enough; Git is ended then. */
async function readUntil(
  startGit: StartGit,
  question: AskedObjects & { args: readonly string[]; input: string },
  isEnough: (piece: Buffer) => boolean,
): Promise<boolean> {
  const { directory, args, input, signal } = question;
  const child = await startGit({
    directory,
    args,
    stdio: ["pipe", "pieces", "pipe"],
    // Otherwise each line would be a piece of its own.
    env: { GIT_FLUSH: "0" },
    timeoutMs: patienceMs,
    isQuestion: true,
    yields: true,
    ...(signal && { signal }),
  });
  child.stdin!.on("error", () => undefined);
  child.stdin!.end(input);
  let enough = false;
  await child.pieces!(async (piece) => {
    if (enough || !isEnough(piece)) return;
    enough = true;
    child.kill();
  });
  const exitCode = await child.closed;
  signal?.throwIfAborted();
  if (enough || exitCode === 0) return enough;
  throw exitCode === null ? tooSlow() : new GitError("rev-list", exitCode, "");
}

const lineBytes = 41;

/**
 * Tells when all ids have come, each on a line. Millions of others come too, and everybody waits meanwhile: text is made only of those
 * whose beginnings look alike.
 */
export function searchFor(ids: readonly string[]): (piece: Buffer) => boolean {
  const missing = new Set(ids);
  const marks = new Set(ids.map((id) => markAt(Buffer.from(id, "latin1"), 0)));
  let rest: Buffer = Buffer.alloc(0);
  return (piece) => {
    const lines = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
    let at = 0;
    for (; at + lineBytes <= lines.length; at += lineBytes)
      if (marks.has(markAt(lines, at))) missing.delete(lines.toString("latin1", at, at + lineBytes - 1));
    // A copy: the piece is overwritten.
    rest = Buffer.from(lines.subarray(at));
    return missing.size === 0;
  };
}

function markAt(lines: Buffer, at: number): number {
  return Math.imul(lines.readInt32LE(at), 0x01000193) ^ lines.readInt32LE(at + 4);
}
