/** What there is to choose from: the sources with their imports, and the test files with their texts. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { run } from "@forgeline/launcher/run.ts";
import { readImports } from "./imports.ts";

export interface Tree {
  /** Test files that `npm test` runs, from the checkout's root. */
  tests: readonly string[];
  /** Text of each file of ours below `test/`. */
  texts: ReadonlyMap<string, string>;
  /** Who imports each file. */
  importers: ReadonlyMap<string, readonly string[]>;
}

/** Rejects where a source cannot be parsed, and says where. */
export async function readTree(root: string): Promise<Tree> {
  const sources = await listSources(root);
  const ofTests = sources.filter((path) => path.startsWith("test/"));
  const read = async (path: string): Promise<[string, string]> => [
    path,
    await readFile(join(root, path), "utf8"),
  ];
  const [texts, importers] = await Promise.all([
    Promise.all(ofTests.map(read)),
    readImports(root, [...new Set(sources)]),
  ]);
  return { tests: testsAmong(sources), texts: new Map(texts), importers };
}

/** The same as `tests` of the tree, for whom their names are enough. */
export async function listTests(root: string): Promise<readonly string[]> {
  return testsAmong(await listSources(root));
}

async function listSources(root: string): Promise<string[]> {
  const listed = await run("git", ["ls-files", "-co", "--exclude-standard", "-z"], { cwd: root });
  return listed.split("\0").filter((path) => isSource(path) && existsSync(join(root, path)));
}

function testsAmong(sources: readonly string[]): string[] {
  return [...new Set(sources)].filter(isTest).toSorted();
}

export function isTest(path: string): boolean {
  return path.startsWith("test/") && path.endsWith(".test.ts") && !path.startsWith("test/chaos/");
}

/** Examples and fixtures are data: some cannot be parsed, on purpose. */
function isSource(path: string): boolean {
  return /\.(?:ts|tsx|mjs)$/.test(path) && !/^(?:examples|test\/fixtures)\//.test(path);
}
