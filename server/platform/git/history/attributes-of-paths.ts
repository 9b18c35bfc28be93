/** One attribute of a few paths, from the `.gitattributes` files that can concern them: nothing else of the commit is read. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { indexFile, type IndexEntry } from "../objects/index-file.ts";
import { queryTimeoutMs } from "../processes/read-records.ts";
import type { RunGit } from "../processes/run-git.ts";

export interface PathAttributeQuestion {
  directory: string;
  paths: readonly string[];
  name: string;
  /** A file of the commit, as `RepositoryFiles.readFile`. */
  readFile(path: string, maxBytes: number): Promise<{ oid: string; bytes: Buffer | null } | undefined>;
}

/** By path; `set`, `unset` or a value. Unspecified ones are absent. */
export type AttributeOfPaths = ReadonlyMap<string, string>;

const fileName = ".gitattributes";
/** The ones nearest to the top. */
const maxDirectories = 1_000;
/** A larger one is not searched, and taken for one that names the attribute. */
const maxSearchedBytes = 256 * 1024;

export async function attributeOfPaths(
  runGit: RunGit,
  question: PathAttributeQuestion,
): Promise<AttributeOfPaths> {
  const { directory, paths, name } = question;
  const found = await attributeFiles(question);
  if (!found.some(({ isNaming }) => isNaming)) return new Map();
  const home = await mkdtemp(join(tmpdir(), "forgeline-attributes-"));
  try {
    const index = join(home, "index");
    await writeFile(index, indexFile(found));
    const { stdout } = await runGit({
      directory,
      args: ["check-attr", "--cached", "--stdin", "-z", name],
      env: { GIT_INDEX_FILE: index },
      input: paths.map((path) => `${path}\0`).join(""),
      timeoutMs: queryTimeoutMs,
    });
    return parseAnswer(stdout.toString("utf8"));
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

/** Most repositories have none that names the attribute. */
async function attributeFiles({ paths, name, readFile }: PathAttributeQuestion) {
  const read = await Promise.all(
    directoriesAbove(paths).map(async (above) => {
      const path = `${above}${fileName}`;
      const file = await readFile(path, maxSearchedBytes);
      const isNaming = file !== undefined && (file.bytes === null || file.bytes.includes(name));
      return file ? [{ path, oid: file.oid, isNaming } satisfies IndexEntry & { isNaming: boolean }] : [];
    }),
  );
  return read.flat();
}

/** Each with a slash at its end; the top is empty. */
export function directoriesAbove(paths: readonly string[]): string[] {
  const found = new Set([""]);
  let level = [...paths];
  for (let depth = 1; level.length > 0 && found.size < maxDirectories; depth += 1) {
    level = level.filter((path) => path.split("/", depth + 1).length > depth);
    for (const path of level) found.add(`${path.split("/", depth).join("/")}/`);
  }
  return [...found].slice(0, maxDirectories);
}

/** `<path>\0<name>\0<value>\0`, again and again. */
function parseAnswer(text: string): AttributeOfPaths {
  const values = new Map<string, string>();
  const parts = text.split("\0");
  for (let at = 0; at + 2 < parts.length; at += 3) {
    const [path = "", , value = ""] = parts.slice(at, at + 3);
    if (value !== "unspecified") values.set(path, value);
  }
  return values;
}
