/** Attributes of paths from a commit's `.gitattributes` files, as Git itself reads them: from a temporary index. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RunGit } from "../processes/run-git.ts";

export interface AttributeQuestion {
  directory: string;
  /** Full id. */
  commit: string;
  paths: readonly string[];
  /** Only attributes with this prefix are returned. */
  prefix: string;
  names: readonly string[];
  signal: AbortSignal;
}

/** By path; `set`, `unset` or a value. Unspecified ones are absent. */
export type Attributes = ReadonlyMap<string, Readonly<Record<string, string>>>;

const pathsAtOnce = 5_000;

/** Throws `GitError`, or the signal's reason. */
export async function readAttributes(runGit: RunGit, question: AttributeQuestion): Promise<Attributes> {
  const found = new Map<string, Record<string, string>>();
  const { directory, commit, paths, signal } = question;
  if (paths.length === 0 || !(await hasAttributes(runGit, question))) return found;
  const home = await mkdtemp(join(tmpdir(), "forgeline-attributes-"));
  try {
    const env = { GIT_INDEX_FILE: join(home, "index") };
    const common = { directory, env, signal, background: true, timeoutMs: 10 * 60 * 1000 };
    await runGit({ ...common, args: ["read-tree", commit] });
    for (let start = 0; start < paths.length; start += pathsAtOnce) {
      const { stdout } = await runGit({
        ...common,
        args: ["check-attr", "--cached", "--stdin", "-z", ...question.names],
        input: paths.slice(start, start + pathsAtOnce).join("\0") + "\0",
        maxOutputBytes: 256 * 1024 * 1024,
      });
      collect(stdout.toString("utf8"), found);
    }
  } finally {
    await rm(home, { recursive: true, force: true });
  }
  return found;
}

/** Most repositories have none, and then nothing more is read. */
async function hasAttributes(runGit: RunGit, { directory, commit, prefix, signal }: AttributeQuestion) {
  const { exitCode } = await runGit({
    directory,
    args: ["grep", "--quiet", "--fixed-strings", "-e", prefix, commit, "--", ":(glob)**/.gitattributes"],
    acceptExitCodes: [0, 1],
    signal,
    background: true,
    timeoutMs: 10 * 60 * 1000,
  });
  return exitCode === 0;
}

/** `<path>\0<name>\0<value>\0`, again and again. */
function collect(text: string, found: Map<string, Record<string, string>>): void {
  const parts = text.split("\0");
  for (let at = 0; at + 2 < parts.length; at += 3) {
    const [path = "", name = "", value = ""] = parts.slice(at, at + 3);
    if (value === "unspecified") continue;
    found.set(path, { ...found.get(path), [name]: value });
  }
}
