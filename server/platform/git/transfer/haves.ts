/**
 * Of whatever is in the store Git tells who names it with `have` that it is there, and refuses `shallow` with anything but a
 * commit. A file's id follows from its contents, so that would tell of each guess whether somebody once pushed it, also where
 * no visible ref reaches it. Clients have commits to speak of, and some the tags that they know. All other objects are taken
 * out before Git reads, and so are those that are not there, since Git repeats an id in some of its answers: what is hidden
 * and what is absent must leave the same request.
 *
 * Commits pass, reached or not: who knows the id of one knows all that is in it, author and second of the day included, and
 * hears no more than that it is there. To judge them too would be a process for nearly every fetch.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { CatFilePool } from "../processes/cat-file.ts";
import { packet } from "./packet.ts";
import { readRefFiles } from "../refs/ref-files.ts";
import type { RunGit } from "../processes/run-git.ts";
import { readTypes } from "../objects/object-types.ts";
import { packetsInOneTurn, readPackets } from "./packet-lines.ts";

/** The packets as Git may have them. */
export type HideHaves = (asked: HaveRequest) => Promise<Buffer>;

export interface HaveRequest {
  directory: string;
  packets: Buffer;
  /** Under protocol 2 Git sends all there is, without being asked, to a client that has nothing; one `have` is left then. */
  isVersion2: boolean;
}

/** More than a fetch has that finds something in common; a process of its own keeps readers from waiting behind it. */
const maxInPool = 1_000;
const nothing = Buffer.from(packet(`have ${"0".repeat(40)}\n`));

export function createHideHaves(runGit: RunGit, catFiles: Pick<CatFilePool, "read">): HideHaves {
  const typesOf = async (directory: string, ids: readonly string[]) => {
    if (ids.length > maxInPool) return readTypes(runGit, directory, ids);
    const objects = await Promise.all(ids.map((id) => catFiles.read(directory, id, 0)));
    return objects.map((object) => object?.type);
  };
  return async ({ directory, packets, isVersion2 }) => {
    const ids = await idsSpokenOf(packets);
    if (ids.length === 0) return packets;
    const types = await typesOf(directory, ids);
    const named = types.includes("tag") ? await exceptionsIn(directory) : new Set<string>();
    const spoken = new Set<string>();
    for (const [index, id] of ids.entries()) {
      if (types[index] === "commit" || (types[index] === "tag" && named.has(id))) spoken.add(id);
      if (index % packetsInOneTurn === packetsInOneTurn - 1) await nextTurn();
    }
    const { kept, firstHave, hasHave } = await keepOnly(packets, spoken);
    if (!isVersion2 || hasHave || firstHave === undefined) return kept;
    return Buffer.concat([kept.subarray(0, firstHave), nothing, kept.subarray(firstHave)]);
  };
}

async function idsSpokenOf(packets: Buffer): Promise<string[]> {
  const ids = new Set<string>();
  if (!packets.includes("have ") && !packets.includes("shallow ")) return [];
  await readPackets(packets, (start, end) => {
    const spoken = readSpoken(packets, start, end);
    if (spoken) ids.add(spoken.id);
  });
  return [...ids];
}

interface Kept {
  kept: Buffer;
  /** Where in `kept` the first `have` would stand that was taken out. */
  firstHave: number | undefined;
  /** Whether one was left. */
  hasHave: boolean;
}

/** The packets without those that speak of other ids. */
async function keepOnly(packets: Buffer, ids: ReadonlySet<string>): Promise<Kept> {
  const kept = Buffer.allocUnsafe(packets.length);
  let [from, size] = [0, 0];
  let firstHave: number | undefined;
  let hasHave = false;
  await readPackets(packets, (start, end) => {
    const spoken = readSpoken(packets, start, end);
    if (!spoken) return;
    if (ids.has(spoken.id)) {
      hasHave ||= spoken.isHave;
      return;
    }
    size += packets.copy(kept, size, from, start - 4);
    from = end;
    if (spoken.isHave) firstHave ??= size;
  });
  size += packets.copy(kept, size, from);
  return { kept: kept.subarray(0, size), firstHave, hasHave };
}

/** A word and an id. */
const maxLineBytes = 48;
const [havesFirst, shallowsFirst] = ["h".charCodeAt(0), "s".charCodeAt(0)];

function readSpoken(
  packets: Buffer,
  start: number,
  end: number,
): { id: string; isHave: boolean } | undefined {
  const first = packets[start]! | 0x20;
  if (first !== havesFirst && first !== shallowsFirst) return undefined;
  const line = packets.toString("latin1", start, Math.min(end, start + maxLineBytes));
  // As Git reads it: in either case, and whatever follows.
  const id = /^(?:have|shallow) ([0-9a-f]{40})/i.exec(line)?.[1];
  return id === undefined ? undefined : { id: id.toLowerCase(), isHave: first === havesFirst };
}

/** What visible refs themselves name; none where the files do not tell. */
async function exceptionsIn(directory: string): Promise<Set<string>> {
  return new Set((await readRefFiles(directory))?.refs.map(({ oid }) => oid));
}
