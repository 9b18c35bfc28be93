/** Counts of a repository's files for its maintenance. Starts no process. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";

export interface ObjectCounts {
  looseObjects: number;
  /** Without those marked to be kept. */
  packs: number;
  looseRefs: number;
}

/** Counting refs stops at `maxRefs`: whoever has more has enough to pack. */
export async function countObjects(directory: string, maxRefs: number): Promise<ObjectCounts> {
  const objects = join(directory, "objects");
  const fanOut = (await list(objects)).filter((entry) => /^[0-9a-f]{2}$/.test(entry.name));
  let looseObjects = 0;
  for (const { name } of fanOut)
    looseObjects += (await list(join(objects, name))).filter((entry) =>
      /^[0-9a-f]{38}$/.test(entry.name),
    ).length;
  const inPacks = new Set((await list(join(objects, "pack"))).map((entry) => entry.name));
  const packs = [...inPacks].filter(
    (name) => name.endsWith(".pack") && !inPacks.has(name.replace(/pack$/, "keep")),
  );
  return { looseObjects, packs: packs.length, looseRefs: await countRefs(join(directory, "refs"), maxRefs) };
}

async function countRefs(directory: string, max: number): Promise<number> {
  let count = 0;
  for (const entry of await list(directory)) {
    if (count >= max) break;
    if (entry.isDirectory()) count += await countRefs(join(directory, entry.name), max - count);
    else count += 1;
  }
  return count;
}

async function list(path: string) {
  return readdir(path, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
    return [];
  });
}
