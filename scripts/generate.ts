/** Writes every generated file; `test/contract/generated.test.ts` compares them with what this would write. */
import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { generatedFiles } from "./generate/files.ts";

const root = new URL("../", import.meta.url);

for (const [path, content] of Object.entries(await generatedFiles())) {
  const file = new URL(path, root);
  await mkdir(dirname(file.pathname), { recursive: true });
  await writeFile(file, content);
  process.stdout.write(`${path}\n`);
}
