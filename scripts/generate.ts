/**
 * Writes every generated file that needs no database (`dump-schema.ts` and `generate-rows.ts` write the others);
 * `test/contract/generated.test.ts` compares them with what this would write. With `--check` nothing is written: the files that
 * differ are named, and the program fails.
 */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { generatedFiles } from "./generate/files.ts";

const root = new URL("../", import.meta.url);
const checking = process.argv.includes("--check");

for (const [path, content] of Object.entries(await generatedFiles())) {
  const file = new URL(path, root);
  if ((await readFile(file, "utf8").catch(() => undefined)) === content) continue;
  if (checking) {
    console.error(`${path} is out of date: run \`npm run generate\``);
    process.exitCode = 1;
    continue;
  }
  await mkdir(dirname(file.pathname), { recursive: true });
  await writeFile(file, content);
  process.stdout.write(`${path}\n`);
}
