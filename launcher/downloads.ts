/**
 * What `/downloads/` serves: the runner and the command line as npm packages of one or two bundled files each, the
 * authority's certificate, and the script that installs a runner on another machine.
 */
import { createWriteStream } from "node:fs";
import { copyFile, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { pack } from "tar-stream";
import { bundledProgram } from "./bundled-program.ts";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

export interface DownloadOptions {
  directory: string;
  caFile: string;
  caSha256: string;
  publicUrl: string;
  /** Where bundles are kept from one start to the next. */
  cache: string;
}

const programs = [
  {
    name: "forgeline-runner",
    entry: "runner/main.ts",
    lazyParts: [],
    description: "Runs Forgeline pipelines in Docker.",
  },
  {
    name: "forgeline",
    entry: "cli/main.ts",
    lazyParts: [
      { entry: "cli/exec/execute.ts", file: "exec.mjs" },
      { entry: "cli/convert/convert-files.ts", file: "convert.mjs" },
    ],
    description: "The Forgeline command line.",
  },
] as const;

export async function makeDownloads(options: DownloadOptions): Promise<void> {
  const { version, optionalDependencies } = JSON.parse(
    await readFile(join(root, "package.json"), "utf8"),
  ) as {
    version: string;
    optionalDependencies: Record<string, string>;
  };
  await copyFile(options.caFile, join(options.directory, "ca.pem"));
  await writeFile(join(options.directory, "install-runner.sh"), installScript(options), { mode: 0o644 });
  for (const program of programs) {
    const manifest = {
      name: program.name,
      version,
      description: program.description,
      bin: { [program.name]: "start.cjs" },
      engines: { node: ">=18" },
      optionalDependencies,
    };
    const { entry, lazyParts } = program;
    const bundle = await bundledProgram(entry, options.cache, lazyParts);
    const parts: Record<string, string> = {};
    for (const part of lazyParts) parts[part.file] = await bundledProgram(part.entry, options.cache);
    await writeTarball(join(options.directory, `${program.name}.tgz`), {
      "package.json": `${JSON.stringify(manifest, null, 2)}\n`,
      "start.cjs": startScript,
      "main.mjs": bundle,
      ...parts,
    });
  }
}

/**
 * Starts the bundle on the Node that came with the package when the machine's own is older. What Node compiled is kept, in a
 * place that only the user can write to: it is half of a start.
 */
const startScript = `#!/usr/bin/env node
const { spawn } = require("node:child_process");
const nodeModule = require("node:module");
const { join } = require("node:path");
const { NODE_COMPILE_CACHE: named, XDG_CACHE_HOME: caches, HOME: home } = process.env;
const base = caches || (home && join(home, ".cache"));
const compiled = named || (base && join(base, "forgeline", "compiled"));
const main = join(__dirname, "main.mjs");
function bundledNode() {
  const name = process.platform + "-" + process.arch;
  for (const pkg of ["node-" + name, "node-bin-" + name]) {
    try { return join(require.resolve(pkg + "/package.json"), "..", "bin", "node"); } catch {}
  }
}
if (Number(process.versions.node.split(".")[0]) >= 24) {
  if (compiled) nodeModule.enableCompileCache(compiled);
  import(main);
}
else {
  const node = bundledNode();
  if (!node) { console.error("Node 24 or newer is needed: this is " + process.version + ", and npm could not install another (no registry reachable?). Please install Node 24."); process.exit(1); }
  // A channel tells the child when this process is killed.
  const child = spawn(node, [main, ...process.argv.slice(2)], { stdio: ["inherit", "inherit", "inherit", "ipc"], env: compiled ? { ...process.env, NODE_COMPILE_CACHE: compiled } : process.env });
  // A terminal sends Ctrl-C to the child itself.
  for (const s of ["SIGINT", "SIGTERM"]) process.on(s, () => { if (s !== "SIGINT" || !process.stdin.isTTY) child.kill(s); });
  process.on("disconnect", () => child.connected && child.disconnect());
  child.on("exit", (code, signal) => process.exit(signal ? 1 : code));
}
`;

async function writeTarball(path: string, files: Record<string, string>): Promise<void> {
  const archive = pack();
  for (const [name, content] of Object.entries(files))
    archive.entry({ name: `package/${name}`, mode: name === "start.cjs" ? 0o755 : 0o644 }, content);
  archive.finalize();
  await pipeline(archive, createGzip(), createWriteStream(path));
}

/** A daemon's address is enough: the runner itself does not call the docker command. Older macOS has `shasum` only. */
const checkPrograms = `executor=\${FORGELINE_RUNNER_EXECUTOR:-docker}
for program in node npm git tar; do
  command -v "$program" >/dev/null || { echo "please install $program first" >&2; exit 1; }
done
if command -v sha256sum >/dev/null; then checksum() { sha256sum "$1"; }
elif command -v shasum >/dev/null; then checksum() { shasum -a 256 "$1"; }
else
  echo "please install sha256sum or shasum first: the server's certificate cannot be checked without one" >&2
  exit 1
fi
[ "$executor" = process ] || [ "$token" = --update ] || [ -n "\${FORGELINE_RUNNER_DOCKER_HOST:-\${DOCKER_HOST:-}}" ] || command -v docker >/dev/null || {
  echo "please install docker first; for jobs without containers set FORGELINE_RUNNER_EXECUTOR=process for sh and for the runner: $url/docs/operations/process-executor" >&2
  exit 1
}
`;

function installScript({ publicUrl }: DownloadOptions): string {
  return `#!/bin/sh
# Installs a Forgeline runner on this machine and registers it:
#   sh install-runner.sh SHA256_OF_CA REGISTRATION_TOKEN [--name NAME] [--labels A,B=C] [--capacity JOBS] [--one-job]
# Or replaces the program of the runner registered here: sh install-runner.sh SHA256_OF_CA --update
# Needs Node 18 or newer with npm, Git, and Docker; with FORGELINE_RUNNER_EXECUTOR=process, no Docker. The authority's certificate is fetched without trust and then
# compared with the checksum given on the command line; everything after that is verified against it.
set -eu
url=\${FORGELINE_URL:-${publicUrl}}
sum=$1 token=$2
shift 2
dir=\${FORGELINE_RUNNER_DIR:-$HOME/.forgeline-runner}
${checkPrograms}[ "$token" != --update ] || [ -f "$dir/runner.json" ] || { echo "no runner is registered in $dir; set FORGELINE_RUNNER_DIR to its directory" >&2; exit 1; }
mkdir -p "$dir"
chmod 700 "$dir"
curl -fsSk "$url/downloads/ca.pem" -o "$dir/ca.pem"
[ "$(checksum "$dir/ca.pem" | cut -d' ' -f1)" = "$sum" ] || { echo "the certificate of $url is not the expected one" >&2; exit 1; }
curl -fsS --cacert "$dir/ca.pem" "$url/downloads/forgeline-runner.tgz" -o "$dir/forgeline-runner.tgz"
# The package is one bundled file; only Node 24, where the machine has an older one, comes from a registry.
package="$dir/node_modules/forgeline-runner"
if [ "$(node -p 'process.versions.node.split(".")[0]')" -ge 24 ]; then
  mkdir -p "$package" "$dir/node_modules/.bin"
  tar -xzf "$dir/forgeline-runner.tgz" -C "$package" --strip-components=1
  ln -sf ../forgeline-runner/start.cjs "$dir/node_modules/.bin/forgeline-runner"
else
  echo "Installing the runner, and Node 24 from the npm registry"
  npm install --loglevel=error --no-update-notifier --no-audit --no-fund --fetch-retries=1 --prefix "$dir" "$dir/forgeline-runner.tgz"
fi
runner="$dir/node_modules/.bin/forgeline-runner"
[ "$token" != --update ] || { echo "Updated. Restart the runner: $runner start --dir $dir"; exit; }
FORGELINE_RUNNER_TOKEN="$token" "$runner" register --dir "$dir" --url "$url" --ca "$dir/ca.pem" "$@"
[ "$executor" = docker ] || runner="FORGELINE_RUNNER_EXECUTOR=$executor $runner"
echo "Registered. Start it with:  $runner start --dir $dir"
`;
}
