/** A copy of a directory that is there whole or not at all, however many processes make it and whenever one is killed. */
import { cp, mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { isAlive } from "./is-alive.ts";

/** `witness` is a file of the copy that only a whole one is known by; a target without it is recreated. */
export async function copyAtomically(source: string, target: string, witness: string): Promise<void> {
  const isThere = () =>
    stat(join(target, witness)).then(
      () => true,
      () => false,
    );
  if (await isThere()) return;
  await mkdir(dirname(target), { recursive: true, mode: 0o755 });
  await removeAbandoned(target);
  const mine = `${target}.${process.pid}.new`;
  try {
    await cp(source, mine, { recursive: true, verbatimSymlinks: true });
    await rename(mine, target).catch(async () => {
      // Somebody else was quicker.
      if (await isThere()) return;
      // What an older version copied in place and did not finish.
      await rm(target, { recursive: true, force: true });
      await rename(mine, target);
    });
  } finally {
    await rm(mine, { recursive: true, force: true });
  }
}

/** Copies that a killed process left half made. */
async function removeAbandoned(target: string): Promise<void> {
  const pattern = /\.(\d+)\.new$/;
  for (const name of await readdir(dirname(target))) {
    const pid = Number(pattern.exec(name)?.[1] ?? 0);
    if (pid > 0 && name.startsWith(`${basename(target)}.`) && !isAlive(pid))
      await rm(join(dirname(target), name), { recursive: true, force: true });
  }
}
