/**
 * Writes `<name>.rows.ts` beside each store that declares statements: `node scripts/generate-rows.ts`, after a migration or a
 * change of a statement. Works in a database of its own on the test bed, so a standing bed must be up.
 */
import { readFile, writeFile } from "node:fs/promises";
import { rowFiles } from "./generate-rows/row-files.ts";
import { root } from "./generate-rows/stores.ts";

for (const [path, text] of Object.entries(await rowFiles())) {
  const file = new URL(path, root);
  if ((await readFile(file, "utf8").catch(() => undefined)) === text) continue;
  await writeFile(file, text);
  process.stdout.write(`${path}\n`);
}
