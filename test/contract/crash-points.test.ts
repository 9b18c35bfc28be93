/** Every named crash point is met in the source, and every one has a test that dies there (Gitaly's method). */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { crashPoints as runnerPoints } from "@forgeline/runner/crash-point.ts";
import { crashPoints as serverPoints } from "@forgeline/server/platform/crash-point.ts";

const checkout = join(import.meta.dirname, "../..");

async function sourcesBelow(directories: readonly string[], isWanted: (path: string) => boolean) {
  const texts: string[] = [];
  for (const directory of directories) {
    const names = await readdir(join(checkout, directory), { recursive: true });
    for (const name of names)
      if (name.endsWith(".ts") && !name.includes("node_modules") && isWanted(name))
        texts.push(await readFile(join(checkout, directory, name), "utf8"));
  }
  return texts;
}

let calls: Set<string>;
let tests: string;
beforeAll(async () => {
  const sources = await sourcesBelow(
    ["server", "runner", "workflows"],
    (name) => !name.endsWith("crash-point.ts"),
  );
  calls = new Set(
    sources.flatMap((text) =>
      [...text.matchAll(/\bcrashPoint\(["`]([^"`]+)["`]\)/g)].map((found) => found[1] ?? ""),
    ),
  );
  const isTest = (name: string) => name.endsWith(".test.ts") && !name.endsWith("crash-points.test.ts");
  tests = (await sourcesBelow(["test"], isTest)).join("\n");
});

/** A call may be a template, such as `${kind}-container.created`: it stands for all names that it can make. */
const isMet = (point: string) =>
  [...calls].some((call) => {
    const [before = "", after] = call.split(/\$\{[^}]*\}/);
    return after === undefined ? call === point : point.startsWith(before) && point.endsWith(after);
  });

describe.each([
  ["server", serverPoints],
  ["runner", runnerPoints],
])("crash points of the %s", (_, points) => {
  it.each([...points])("%s is in the source", (point) => {
    expect(isMet(point)).toBe(true);
  });

  it.each([...points])("%s has a test", (point) => {
    expect(tests.includes(`"${point}"`), `no test names ${point}`).toBe(true);
  });
});

it("no call names a point that is not listed", () => {
  const listed = new Set<string>([...serverPoints, ...runnerPoints]);
  expect([...calls].filter((call) => !call.includes("${") && !listed.has(call))).toEqual([]);
});
