/** Files of the runner that are read back after it died. */
import { chmod, rename, writeFile } from "node:fs/promises";

/** Whoever reads it finds all of the text, or what was there before. Only the runner's user can read it. */
export async function writeWhole(path: string, text: string): Promise<void> {
  await writeFile(`${path}.new`, text, { mode: 0o600 });
  await chmod(`${path}.new`, 0o600);
  await rename(`${path}.new`, path);
}
