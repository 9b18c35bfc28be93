/** Moves what was received elsewhere into a repository, once it was judged. */
import { readdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { syncDirectory } from "../../durable-files.ts";

/** In this order, as Git does: who sees the index finds the rest. */
const parts = ["rev", "pack", "idx"];

/** Complete packs of a quarantine on the same disk. Durable once resolved; may be repeated after it was cut off. */
export async function movePacks(quarantine: string, directory: string): Promise<void> {
  const from = join(quarantine, "pack");
  const to = join(directory, "objects", "pack");
  const names = new Set(await readdir(from).catch(() => []));
  const complete = [...names].filter((name) => /^pack-[0-9a-f]{40}\.idx$/.test(name));
  if (complete.length === 0) return;
  for (const index of complete)
    for (const part of parts) {
      const name = index.replace(/idx$/, part);
      if (names.has(name)) await rename(join(from, name), join(to, name));
    }
  await syncDirectory(to);
}
