/** The workflow code as one script. Made once for each state of the sources and kept, since it takes seconds. */
import { createHash, randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { bundleWorkflowCode } from "@temporalio/worker";

const definitions = fileURLToPath(new URL("../definitions", import.meta.url));
const require = createRequire(import.meta.url);

/** `cacheDirectory` may be absent or read-only; then the code is bundled each time. */
export async function workflowBundle(cacheDirectory: string): Promise<{ code: string }> {
  const file = join(cacheDirectory, `workflows-${await sourceHash()}.js`);
  const known = await readFile(file, "utf8").catch(() => undefined);
  if (known !== undefined) return { code: known };
  const { code } = await bundleWorkflowCode({
    workflowsPath: join(definitions, "workflows.ts"),
    logger: { trace() {}, debug() {}, info() {}, log() {}, warn() {}, error: console.error },
  });
  const part = `${file}.${randomUUID()}`;
  await mkdir(cacheDirectory, { recursive: true })
    .then(() => writeFile(part, code))
    .then(() => rename(part, file))
    .catch(() => undefined);
  return { code };
}

async function sourceHash(): Promise<string> {
  const hash = createHash("sha256");
  hash.update((require("@temporalio/workflow/package.json") as { version: string }).version);
  for (const name of (await readdir(definitions)).sort()) {
    hash.update(name).update(await readFile(join(definitions, name)));
  }
  return hash.digest("hex").slice(0, 20);
}
