/**
 * Builds Temporal's programs with Go, where no archive can be had: both in one go, since they share most packages. Modules
 * come from Go's proxy; each must have the checksum that is pinned here.
 */
import { mkdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { run } from "../run.ts";
import { temporalModules, temporalVersion } from "../versions.ts";
import { createBuildProgress, modulesIn, type BuildProgress } from "./build-progress.ts";
import { buildDirectory, layOutSources, type TemporalModule } from "./sources.ts";

export interface BuildOptions {
  /** Path of the program `go`. */
  go: string;
  /** Where the two programs are put; what else the build needs is removed at its end. */
  directory: string;
  env: NodeJS.ProcessEnv;
  say: (line: string) => void;
  signal?: AbortSignal | undefined;
}

/** Package → the name that its program gets. */
const programs = {
  [`${temporalModules.server.path}/cmd/server`]: "temporal-server",
  [`${temporalModules.server.path}/cmd/tools/sql`]: "temporal-sql-tool",
};
export const builtPackages = Object.keys(programs);
const sayEveryMs = 10_000;

/** A tenth of the time goes into descriptions for debuggers, which nobody uses here; traces of the stack need none. */
export const buildFlags = [
  "-v",
  "-trimpath",
  "-buildvcs=false",
  "-gcflags=all=-dwarf=false",
  "-ldflags=-s -w",
];

type RunGo = (args: readonly string[]) => Promise<string>;

/** Rejects with what Go said, and when asked to stop. */
export async function buildTemporal(options: BuildOptions): Promise<void> {
  const { go, directory, env, signal } = options;
  const say = (text: string) => options.say(`Temporal ${temporalVersion}: ${text}`);
  say(`building it with ${go} (once, about two minutes on two cores)`);
  const workspace = join(directory, "build");
  await mkdir(workspace);
  const pinned = await readFile(join(buildDirectory, "go.sum"), "utf8");
  const progress = createBuildProgress(modulesIn(pinned) + Object.keys(temporalModules).length);
  const startedAt = performance.now();
  const seconds = () => (performance.now() - startedAt) / 1000;
  const ticker = setInterval(() => say(progress.text(seconds())), sayEveryMs);
  const runGo: RunGo = (args) =>
    run(go, args, { cwd: workspace, env: goEnvironment(env), signal, onLine: progress.take });
  try {
    const unpacked = await fetchModules(runGo);
    progress.fetched(Object.keys(unpacked).length);
    await layOutSources(unpacked, workspace);
    await build(runGo, progress, directory);
    say(progress.text(seconds()));
  } finally {
    clearInterval(ticker);
    await rm(workspace, { recursive: true, force: true });
  }
  for (const [path, name] of Object.entries(programs))
    await rename(join(directory, path.split("/").at(-1) ?? ""), join(directory, name));
}

/** Settings of the machine's owner that say how other things are built would break this. */
function goEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return {
    ...env,
    CGO_ENABLED: "0",
    GO111MODULE: "on",
    GOFLAGS: "-mod=readonly",
    // Their checksums are compared here, so that the public database of checksums need not be in reach.
    GONOSUMDB: "go.temporal.io",
    GOWORK: "off",
  };
}

/** Where each of Temporal's modules is unpacked. Rejects when one is not what was pinned. */
async function fetchModules(runGo: RunGo): Promise<Record<TemporalModule, string>> {
  const wanted = Object.values(temporalModules).map(({ path, version }) => `${path}@${version}`);
  const output = await runGo(["mod", "download", "-json", ...wanted]);
  const fetched = output
    .split(/\n(?=\{)/)
    .map((text) => JSON.parse(text) as { Path: string; Dir: string; Sum: string });
  const places = Object.entries(temporalModules).map(([name, { path, sum }]) => {
    const found = fetched.find((one) => one.Path === path);
    if (found?.Sum !== sum) throw new Error(`${path} has the checksum ${found?.Sum}, not the pinned ${sum}`);
    return [name, found.Dir] as const;
  });
  return Object.fromEntries(places) as Record<TemporalModule, string>;
}

async function build(runGo: RunGo, progress: BuildProgress, directory: string): Promise<void> {
  // Fetches all that is missing, so that what comes after it only compiles.
  const all = await runGo(["list", "-deps", ...builtPackages]);
  progress.building(all.trim().split("\n").length);
  await runGo(["build", ...buildFlags, "-o", `${directory}/`, ...builtPackages]);
}
