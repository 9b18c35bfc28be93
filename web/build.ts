/**
 * Builds the web interface into `web/dist`, with a compressed copy beside each file, unless what lies there was made from
 * the same sources. Prints one line. `--force` builds in any case.
 */
import { createHash } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const room = import.meta.dirname;
const dist = join(room, "dist");
const stamp = join(dist, "sources.sha256");
const compressible = /\.(?:js|css|svg|html|json)$/;

const sources = await hashOfSources();
if (!process.argv.includes("--force") && (await readFile(stamp, "utf8").catch(() => "")) === sources)
  process.stdout.write("up to date\n");
else {
  const started = performance.now();
  // Loading it takes a second, and most starts have nothing to build.
  const { build } = await import("vite");
  await build({ configFile: join(room, "vite.config.ts"), logLevel: "warn" });
  await compressAll();
  await writeFile(stamp, sources);
  process.stdout.write(`built in ${((performance.now() - started) / 1000).toFixed(1)} s\n`);
}

/** Of all that goes into the bundle: our files, the client's, and the lock file for libraries. */
async function hashOfSources(): Promise<string> {
  const checkout = join(room, "..");
  const files = ["package-lock.json", "web/index.html", "web/vite.config.ts", "web/build.ts"];
  for (const directory of ["web/src", "clients/ts", "markdown", "schemas/generated/json-schema"])
    for (const entry of await readdir(join(checkout, directory), { recursive: true, withFileTypes: true }))
      if (entry.isFile() && !entry.parentPath.includes("node_modules"))
        files.push(join(entry.parentPath, entry.name).slice(checkout.length + 1));
  const hash = createHash("sha256");
  for (const file of files.sort()) hash.update(`${file}\0`).update(await readFile(join(checkout, file)));
  return hash.digest("hex");
}

async function compressAll(): Promise<void> {
  const files = await readdir(dist, { recursive: true, withFileTypes: true });
  for (const entry of files) {
    if (!entry.isFile() || !compressible.test(entry.name)) continue;
    const path = join(entry.parentPath, entry.name);
    const content = await readFile(path);
    const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } };
    await writeFile(`${path}.br`, await promisify(brotliCompress)(content, quality));
    await writeFile(`${path}.gz`, await promisify(gzip)(content, { level: 9 }));
  }
}
