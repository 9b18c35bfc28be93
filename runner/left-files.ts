/** Removes what jobs of an earlier process left beside the engine's own: spools and checkouts. */
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";

export async function removeLeftFiles(home: string, isOurs: (leaseKey: string) => boolean): Promise<void> {
  for (const name of ["spool", "checkouts"]) {
    const directory = join(home, name);
    for (const entry of await readdir(directory).catch(() => []))
      if (!isOurs(entry)) await rm(join(directory, entry), { recursive: true, force: true });
  }
}
