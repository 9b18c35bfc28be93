/** The types of objects, for hundreds of thousands of ids in one request. Other work gets its turns meanwhile. */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { RunGit } from "../processes/run-git.ts";

const idsInOneTurn = 2_000;
/** Of an answer: an id and the word `missing`. */
const lineBytes = 64;

/** Git's word for each, in the same order; not one of `objectTypes` if the object does not exist. Throws as `run`. */
export async function readTypes(
  runGit: RunGit,
  directory: string,
  ids: readonly string[],
): Promise<readonly string[]> {
  const { stdout } = await runGit({
    directory,
    args: ["cat-file", "--batch-check=%(objecttype)"],
    input: await idLines(ids),
    maxOutputBytes: lineBytes * (ids.length + 1),
  });
  const types: string[] = [];
  for (let at = 0; types.length < ids.length;) {
    const end = stdout.indexOf("\n", at);
    types.push(stdout.toString("latin1", at, end < 0 ? stdout.length : end));
    at = end < 0 ? stdout.length : end + 1;
    if (types.length % idsInOneTurn === 0) await nextTurn();
  }
  return types;
}

export const objectTypes: ReadonlySet<string> = new Set(["commit", "tree", "blob", "tag"]);

/** Each on a line, as Git reads them. */
export async function idLines(ids: readonly string[]): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for (let at = 0; at < ids.length; at += idsInOneTurn) {
    if (at > 0) await nextTurn();
    pieces.push(Buffer.from(`${ids.slice(at, at + idsInOneTurn).join("\n")}\n`, "latin1"));
  }
  return Buffer.concat(pieces);
}
