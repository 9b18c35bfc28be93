/** What Temporal is built of agrees: the versions that are pinned, the modules' checksums, and what stands in for what. */
import { readFileSync } from "node:fs";
import { glob } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { buildDirectory, excludedPaths, type TemporalModule } from "@forgeline/launcher/temporal/sources.ts";
import { requiredGoVersion, temporalModules, temporalVersion } from "@forgeline/launcher/versions.ts";

const goMod = readFileSync(join(buildDirectory, "go.mod"), "utf8");
const goSum = readFileSync(join(buildDirectory, "go.sum"), "utf8");
const required = new Map(
  [...goMod.matchAll(/^\t(\S+) (v\S+)$/gm)].map(([, path, version]) => [path, version]),
);
const replaced = new Map(
  [...goMod.matchAll(/^replace (\S+) => \.\/(\S+)$/gm)].map(([, path, to]) => [path, to]),
);
const modules = Object.entries(temporalModules);

it("is of the version that is named everywhere else", () => {
  expect(temporalModules.server.version).toBe(`v${temporalVersion}`);
  for (const [name, { path, version }] of modules) {
    expect(required.get(path)).toBe(version);
    expect(replaced.get(path)).toBe(name);
  }
});

it("asks for the Go that is named when it is missing, everywhere", async () => {
  for await (const file of glob("**/go.mod", { cwd: buildDirectory }))
    expect(readFileSync(join(buildDirectory, file), "utf8")).toMatch(
      new RegExp(`^go ${requiredGoVersion}$`, "m"),
    );
});

it("has a checksum for every module that is fetched", () => {
  const without = [...required].filter(
    ([path, version]) => !replaced.has(path) && !goSum.includes(`${path} ${version} h1:`),
  );
  expect(without).toEqual([]);
});

it("lays over Temporal's modules only what it leaves out of them", async () => {
  const strange: string[] = [];
  for (const name of Object.keys(excludedPaths) as TemporalModule[])
    for await (const file of glob("**/*.{go,mod}", { cwd: join(buildDirectory, name) }))
      if (!excludedPaths[name].some((path) => file === path || file.startsWith(`${path}/`)))
        strange.push(`${name}/${file}`);
  expect(strange).toEqual([]);
});

it("says clearly that something is left out wherever it would be asked for", async () => {
  const silent: string[] = [];
  for await (const file of glob("**/*.go", { cwd: buildDirectory })) {
    const text = readFileSync(join(buildDirectory, file), "utf8");
    // A plugin that does not register itself is refused by name.
    if (text.includes("func ") && !text.includes("this build of Temporal")) silent.push(file);
  }
  expect(silent).toEqual([]);
});
