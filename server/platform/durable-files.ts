/** Files that survive a power cut: their bytes are synced by who writes them, their names by the directory. */
import { open, rename, writeFile } from "node:fs/promises";

/** Makes creations, renames and removals in it durable. */
export async function syncDirectory(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Leaves the old or the new text, never a part. The name is durable once its directory is synced. */
export async function replaceFile(path: string, text: string): Promise<void> {
  await writeFile(`${path}.new`, text, { flush: true });
  await rename(`${path}.new`, path);
}
