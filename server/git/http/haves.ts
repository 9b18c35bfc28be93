/**
 * Of whatever lies in the store Git tells who names it with `have` that it is there, and refuses `shallow` with anything but a
 * commit. A file's id follows from its contents, so that would tell of each guess whether somebody once pushed it, also where
 * no visible ref reaches it. Clients have commits to speak of, and some the tags that they know. All other objects are taken
 * out before Git reads, and so are those that are not there, since Git repeats an id in some of its answers: what is hidden
 * and what is absent must leave the same request.
 *
 * Commits pass, reached or not: who knows the id of one knows all that is in it, author and second of the day included, and
 * hears no more than that it is there. To judge them too would be a process for nearly every fetch.
 */
import type { CatFilePool } from "../cat-file.ts";
import { packet } from "../packet.ts";
import { readRefFiles } from "../ref-files.ts";
import type { RunGit } from "../run-git.ts";
import { eachPacket } from "./packet-lines.ts";

/** The packets as Git may have them. */
export type HideHaves = (asked: AskedHaves) => Promise<Buffer>;

export interface AskedHaves {
  directory: string;
  packets: Buffer;
  /** Under protocol 2 Git sends all there is, unasked, to who has nothing to say; one `have` is left then. */
  isVersion2: boolean;
}

/** More than a fetch has that finds something in common; a process of its own keeps readers from waiting behind it. */
const mostInPool = 1_000;
const nothing = Buffer.from(packet(`have ${"0".repeat(40)}\n`));

export function createHideHaves(runGit: RunGit, catFiles: Pick<CatFilePool, "read">): HideHaves {
  const typesOf = async (directory: string, ids: readonly string[]) => {
    if (ids.length > mostInPool) return readTypes(runGit, directory, ids);
    const objects = await Promise.all(ids.map((id) => catFiles.read(directory, id, 0)));
    return objects.map((object) => object?.type);
  };
  return async ({ directory, packets, isVersion2 }) => {
    const found = findHaves(packets);
    const ids = [...new Set(found.map(({ id }) => id))];
    if (ids.length === 0) return packets;
    const types = await typesOf(directory, ids);
    const named = types.includes("tag") ? await namedIn(directory) : new Set<string>();
    const spoken = new Set(
      ids.filter((id, index) => types[index] === "commit" || (types[index] === "tag" && named.has(id))),
    );
    const isKept = ({ id }: Have) => spoken.has(id);
    const isSilenced = isVersion2 && !found.some((each) => each.isHave && isKept(each));
    const first = isSilenced ? found.find(({ isHave }) => isHave) : undefined;
    let from = 0;
    const pieces: Buffer[] = [];
    for (const each of found.filter((one) => !isKept(one))) {
      pieces.push(packets.subarray(from, each.start));
      if (each === first) pieces.push(nothing);
      from = each.end;
    }
    return Buffer.concat([...pieces, packets.subarray(from)]);
  };
}

interface Have {
  isHave: boolean;
  id: string;
  start: number;
  end: number;
}

function findHaves(packets: Buffer): Have[] {
  const found: Have[] = [];
  if (!packets.includes("have ") && !packets.includes("shallow ")) return found;
  for (const { line, at } of eachPacket(packets)) {
    // As Git reads it: in either case, and whatever follows.
    const [, word, id] = /^(have|shallow) ([0-9a-f]{40})/i.exec(line) ?? [];
    if (!word || !id) continue;
    found.push({
      isHave: word.toLowerCase() === "have",
      id: id.toLowerCase(),
      start: at - 4,
      end: at + line.length,
    });
  }
  return found;
}

/** What visible refs themselves name; none where the files do not tell. */
async function namedIn(directory: string): Promise<Set<string>> {
  return new Set((await readRefFiles(directory))?.refs.map(({ oid }) => oid));
}

async function readTypes(runGit: RunGit, directory: string, ids: readonly string[]): Promise<string[]> {
  const { stdout } = await runGit({
    directory,
    args: ["cat-file", "--batch-check=%(objecttype)"],
    input: `${ids.join("\n")}\n`,
    maxOutputBytes: 64 * (ids.length + 1),
  });
  return stdout.toString("latin1").split("\n", ids.length);
}
