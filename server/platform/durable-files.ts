/** Files that survive a power cut: their bytes are synced by who writes them, their names by the directory. */
import { open, rename, writeFile } from "node:fs/promises";

/** What was made, renamed or removed in it stays so. */
export async function syncDirectory(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** The old text or the new, never a part of it. The name is durable once its directory is synced. */
export async function replaceFile(path: string, text: string): Promise<void> {
  await writeFile(`${path}.new`, text, { flush: true });
  await rename(`${path}.new`, path);
}
