/** Row 40 of security.md with made-up paths: what compiler and engine take lies below the workspace, and all else is refused by both. */
import { expect, test } from "vitest";
import { compile } from "@forgeline/compiler/compile.ts";
import { workdirInContainer } from "@forgeline/runner/engine/docker/step-script.ts";
import { counted } from "../../support/counted.ts";
import { seededRandom } from "../../support/seeded-random.ts";
import { seed, size } from "../../support/size.ts";

const paths = size(600, 300_000);
const random = seededRandom(seed);
const oneOf = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!;
const parts = [
  "..",
  "..",
  ".",
  "",
  "a",
  "b c",
  "workspace",
  "bin",
  "proc",
  "self",
  "fd",
  "8",
  "...",
  "~",
  "-",
  "$HOME",
  "\\..",
  "é",
];

function randomPath(): string {
  const words = Array.from({ length: 1 + Math.floor(random() * 7) }, () => oneOf(parts));
  return (random() < 0.2 ? "/" : "") + words.join("/");
}

/** Walks as a kernel would, one name after the other, from the workspace; undefined once that is left. */
function walk(path: string): string | undefined {
  if (path.startsWith("/")) return undefined;
  const at: string[] = [];
  for (const name of path.split("/"))
    if (name === "..") {
      if (at.pop() === undefined) return undefined;
    } else if (name !== "" && name !== ".") at.push(name);
  return ["/workspace", ...at].join("/");
}

function inEngine(path: string): string | undefined {
  try {
    return workdirInContainer(path);
  } catch {
    return undefined;
  }
}

function isTaken(workdir: string): boolean {
  const text = JSON.stringify({ image: "busybox", steps: [{ run: "true", workdir }] });
  return compile({ file: ".forgeline.yml", text }).plan !== null;
}

/** On its own the engine may take a way out and back in, and nothing that ends outside. */
function isOutside(place: string | undefined): boolean {
  return place !== undefined && place !== "/workspace" && !place.startsWith("/workspace/");
}

test(`no path leaves the workspace (seed ${seed})`, (context) => {
  const wrong: unknown[] = [];
  let taken = 0;
  for (let round = 0; round < paths && wrong.length === 0; round += 1) {
    const path = randomPath() || ".";
    const [meant, compiled, engine] = [walk(path), isTaken(path), inEngine(path)];
    if (compiled) taken += 1;
    const isGood = compiled === (meant !== undefined) && (!compiled || engine === meant);
    if (!isGood || isOutside(engine)) wrong.push({ path, meant, compiled, engine });
  }
  counted(context, { paths, taken, "outside the workspace": wrong.length });
  expect(wrong).toEqual([]);
  expect(taken).toBeGreaterThan(paths / 20);
});
