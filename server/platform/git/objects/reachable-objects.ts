/**
 * Whether visible refs reach objects of any kind. Git has no cheap check for directories, files and tags: it must list what the
 * refs reach. A bitmap makes that list fast; without one, the newest come first. One process lists for all objects of a
 * request, a minute at most; and one at a time for a repository, whoever asks.
 */
import { idLines } from "./object-types.ts";
import { createSharedLists } from "./object-list.ts";
import { queryTimeoutMs, tooSlow } from "../processes/read-records.ts";
import { GitError, type StartGit } from "../processes/run-git.ts";

/** All refs but those that only the server reads, as arguments. */
export const visibleRefs: readonly string[] = ["--exclude=refs/internal/*", "--all"];

export interface ReachabilityRequest {
  directory: string;
  /** Full ids of objects that are there. */
  ids: readonly string[];
  signal: AbortSignal;
}

/** Throws `unavailable` when that takes too long, `GitError`, or the signal's reason. */
export type AreReachableObjects = (asked: ReachabilityRequest) => Promise<boolean>;

export function createReachableObjects(startGit: StartGit): AreReachableObjects {
  const areListed = createSharedLists(async ({ directory, signal, take }) => {
    const question = { directory, signal, args: [...list, ...visibleRefs], input: "", timeoutMs: listingMs };
    await readUntil(startGit, question, take);
  });
  return async (asked) => (await areSubtracted(startGit, asked)) || areListed(asked);
}

/** It gives way to others, and need not be started again for each caller. */
const listingMs = 60_000;

const list = ["rev-list", "--use-bitmap-index", "--objects", "--no-object-names", "--in-commit-order"];

/** Fast if Git can use a bitmap. Otherwise a "no" is not final: it then reads only the newest directories. */
async function areSubtracted(
  startGit: StartGit,
  { directory, ids, signal }: ReachabilityRequest,
): Promise<boolean> {
  const args = [...list, "--stdin", "--not", ...visibleRefs];
  const input = await idLines(ids);
  const question = { directory, signal, args, input, timeoutMs: queryTimeoutMs };
  return !(await readUntil(startGit, question, ({ length }) => length > 0));
}

interface Question {
  directory: string;
  signal: AbortSignal;
  args: readonly string[];
  input: string | Buffer;
  timeoutMs: number;
}

/** Whether there was enough; Git is ended then. */
async function readUntil(
  startGit: StartGit,
  { input, ...question }: Question,
  isEnough: (piece: Buffer) => boolean,
): Promise<boolean> {
  const child = await startGit({
    ...question,
    stdio: ["pipe", "pieces", "pipe"],
    // Otherwise each line would be a piece of its own.
    env: { GIT_FLUSH: "0" },
    isQuestion: true,
    yields: true,
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
  question.signal.throwIfAborted();
  if (enough || exitCode === 0) return enough;
  throw exitCode === null ? tooSlow() : new GitError("rev-list", exitCode, "");
}
