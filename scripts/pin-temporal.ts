/**
 * Makes `launcher/temporal/build/go.mod` and `go.sum` anew, after another version of Temporal was named in
 * `launcher/versions.ts`: of Temporal's own requirements, in their versions, those that the rest of its sources still needs on
 * the platforms that we name. Says the checksums of the two modules, which are written into `versions.ts` by hand.
 */
import { execFileSync } from "node:child_process";
import { copyFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { builtPackages } from "../launcher/temporal/build.ts";
import { buildDirectory, layOutSources, type TemporalModule } from "../launcher/temporal/sources.ts";
import { temporalModules } from "../launcher/versions.ts";

const platforms = ["linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64"];
const workspace = await mkdtemp(join(tmpdir(), "forgeline-pin-temporal-"));
try {
  const unpacked = fetchModules();
  await layOutSources(unpacked, workspace);
  const versions = await versionsOf(join(unpacked.server, "go.mod"));
  for (const { path, version } of Object.values(temporalModules)) versions.set(path, version);
  await requireOf(versions);
  const needed = new Set(platforms.flatMap(modulesFor));
  await requireOf(new Map([...versions].filter(([path]) => needed.has(path))));
  platforms.forEach(modulesFor);
  for (const file of ["go.mod", "go.sum"]) await copyFile(join(workspace, file), join(buildDirectory, file));
} finally {
  await rm(workspace, { recursive: true, force: true });
}

function go(args: readonly string[], env: NodeJS.ProcessEnv = {}): string {
  return execFileSync("go", args, {
    cwd: workspace,
    env: { ...process.env, CGO_ENABLED: "0", GOFLAGS: "-mod=mod", ...env },
    encoding: "utf8",
    maxBuffer: 100_000_000,
  });
}

function fetchModules(): Record<TemporalModule, string> {
  const places = Object.entries(temporalModules).map(([name, { path, version }]) => {
    const output = go(["mod", "download", "-json", `${path}@${version}`]);
    const { Dir, Sum } = JSON.parse(output) as { Dir: string; Sum: string };
    process.stdout.write(`${path} ${version} ${Sum}\n`);
    return [name, Dir] as const;
  });
  return Object.fromEntries(places) as Record<TemporalModule, string>;
}

async function versionsOf(goMod: string): Promise<Map<string, string>> {
  const lines = (await readFile(goMod, "utf8")).matchAll(/^\t(\S+) (v\S+)/gm);
  return new Map([...lines].map(([, path = "", version = ""]) => [path, version]));
}

/** Writes go.mod with these in place of what it required; go.sum is filled by the next look at the packages. */
async function requireOf(versions: ReadonlyMap<string, string>): Promise<void> {
  const text = await readFile(join(buildDirectory, "go.mod"), "utf8");
  const head = text.slice(0, text.indexOf("require ("));
  const lines = [...versions].toSorted(([a], [b]) => (a < b ? -1 : 1)).map((pair) => `\t${pair.join(" ")}\n`);
  await writeFile(join(workspace, "go.mod"), `${head}require (\n${lines.join("")})\n`);
  await writeFile(join(workspace, "go.sum"), "");
}

function modulesFor(platform: string): string[] {
  const [GOOS, GOARCH] = platform.split("/");
  const path = "{{with .Module}}{{.Path}}{{end}}";
  const output = go(["list", "-deps", "-f", path, ...builtPackages], { GOOS, GOARCH });
  return output.split("\n").filter((line) => line !== "");
}
