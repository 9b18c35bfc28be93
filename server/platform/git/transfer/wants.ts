/**
 * The access check that Git lacks: protocol 2 serves every object in the store, even commits of deleted refs, and the older
 * ones serve the tips of hidden refs (once commits may be wanted by id). We check what a fetch wants, and allow only commits
 * and tags that some visible ref reaches. Trees and files are allowed by id if a visible ref reaches them, because partial
 * clones fetch them so.
 */
import type { CatFilePool } from "../processes/cat-file.ts";
import { idLines, objectTypes, readTypes } from "../objects/object-types.ts";
import { packet } from "./packet.ts";
import { readRefFiles } from "../refs/ref-files.ts";
import {
  createReachableObjects,
  visibleRefs,
  type AreReachableObjects,
} from "../objects/reachable-objects.ts";
import type { Git, RunGit } from "../processes/run-git.ts";
import { createHideHaves } from "./haves.ts";
import { readPackets } from "./packet-lines.ts";

export interface Wants {
  /** Object ids, each once. */
  ids: string[];
  /** Whether history shall end at a ref that only the server reads: Git would take its name from anybody. */
  namesHiddenRef: boolean;
}

/** Enough of a line for a word and an id, or for where history shall end. */
const maxLineBytes = 64;

/** What is no packet ends the list; Git itself will complain. Throws `payload_too_large`. */
export async function parseWants(request: Buffer): Promise<Wants> {
  const ids = new Set<string>();
  let namesHiddenRef = false;
  await readPackets(request, (start, end) => {
    // Most of a large request are other words; text is made of the few that may count.
    const first = request[start]! | 0x20;
    if (first !== wantsFirst && first !== deepensFirst) return;
    const line = request.toString("latin1", start, Math.min(end, start + maxLineBytes));
    // As Git reads it: in either case, and whatever follows.
    const want = /^want ([0-9a-f]{40})/i.exec(line);
    if (want) ids.add(want[1]!.toLowerCase());
    namesHiddenRef ||= /^deepen-not (?:refs\/)?internal\//.test(line);
  });
  return { ids: [...ids], namesHiddenRef };
}

const [wantsFirst, deepensFirst] = ["w".charCodeAt(0), "d".charCodeAt(0)];

/** Whether the request is for all that its wants reach, as a clone's is: it names nothing that the client has. */
export function wantsEverything(request: Buffer): boolean {
  return request.includes("want ") && !request.includes("have ");
}

/**
 * Whole packets on their way to Git, as Git may have them: without what the client must not hear of (`haves.ts`). Undefined when no
 * visible ref reaches a wanted object, or when it does not exist. Throws as `AreReachedObjects`, and `payload_too_large`.
 */
export type WantFilter = (asked: WantRequest) => Promise<Buffer | undefined>;

export interface WantRequest {
  directory: string;
  protocol: string | undefined;
  packets: Buffer;
  signal: AbortSignal;
}

export function createWantFilter(git: Git, catFiles: Pick<CatFilePool, "read">): WantFilter {
  const areReachedObjects = createReachableObjects(git.start);
  const hideHaves = createHideHaves(git.run, catFiles);
  return async ({ directory, protocol, packets, signal }) => {
    const wants = await parseWants(packets);
    const [isReached, hidden] = await Promise.all([
      areAllowed(git, areReachedObjects, { directory, wants, signal }),
      hideHaves({ directory, packets, isVersion2: protocol === "version=2" }),
    ]);
    return isReached ? hidden : undefined;
  };
}

async function areAllowed(git: Git, areReached: AreReachableObjects, asked: AskedWants): Promise<boolean> {
  const { directory, wants, signal } = asked;
  if (wants.namesHiddenRef) return false;
  if (wants.ids.length === 0 || (await areNamed(directory, wants.ids))) return true;
  const [reached, others] = await Promise.all([
    areReachedCommits(git.run, directory, wants.ids),
    allButCommits(git.run, directory, wants.ids),
  ]);
  if (!reached || !others) return false;
  return others.length === 0 || areReached({ directory, ids: others, signal });
}

interface AskedWants {
  directory: string;
  wants: Wants;
  signal: AbortSignal;
}

/** Whether visible refs themselves name all of them, as they do for a clone; false also where Git should look. */
async function areNamed(directory: string, ids: readonly string[]): Promise<boolean> {
  const files = await readRefFiles(directory);
  const named = new Set(files?.refs.map(({ oid }) => oid));
  return ids.every((id) => named.has(id));
}

/** Looks at the commits alone. False also when something is not there. */
async function areReachedCommits(
  runGit: RunGit,
  directory: string,
  ids: readonly string[],
): Promise<boolean> {
  const result = await runGit({
    directory,
    args: ["rev-list", "--max-count=1", "--stdin", "--not", ...visibleRefs],
    input: await idLines(ids),
    acceptExitCodes: [0, 128],
  });
  return result.exitCode === 0 && result.stdout.length === 0;
}

/** Undefined when something is not there. */
async function allButCommits(
  runGit: RunGit,
  directory: string,
  ids: readonly string[],
): Promise<string[] | undefined> {
  const types = await readTypes(runGit, directory, ids);
  if (types.some((type) => !objectTypes.has(type))) return undefined;
  return ids.filter((_, index) => types[index] !== "commit");
}

/** How Git's server says it: one error packet. */
export function notOurRef(): Buffer {
  return Buffer.from(packet("ERR upload-pack: not our ref\n"));
}
