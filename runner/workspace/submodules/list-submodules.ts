/**
 * The submodules of one commit: what `.gitmodules` names, and the commit of each from the tree. Both come from outside, so what
 * Git itself would refuse is refused here as well, before anything is made of it.
 */
import { askGit, type GitAccess, GitError } from "../git.ts";

export interface Submodule {
  name: string;
  /** Below the repository's directory. */
  path: string;
  /** As written. */
  url: string;
  sha: string;
}

export type Repository = GitAccess & { directory: string; sha: string; signal: AbortSignal };

const maxFileBytes = 256 * 1024;
const fileName = ".gitmodules";

/** In the order of the file; empty without one. What the file names and the commit has not is left out, as Git does. Throws `GitError`. */
export async function listSubmodules(repository: Repository): Promise<Submodule[]> {
  if (!(await hasFile(repository))) return [];
  const named = await readFile(repository);
  const commits = await readCommits(
    repository,
    named.map(({ path }) => path),
  );
  return named.flatMap((one) => {
    const sha = commits.get(one.path);
    return sha === undefined ? [] : [{ ...one, sha }];
  });
}

const ask = (repository: Repository, args: readonly string[]): Promise<Buffer> =>
  askGit(repository, { cwd: repository.directory, args, signal: repository.signal });

/** A link would be read as text, but is never meant so. */
async function hasFile(repository: Repository): Promise<boolean> {
  const listed = await ask(repository, ["ls-tree", "-l", "-z", repository.sha, "--", fileName]);
  const [, mode, size] = /^(\d+) \w+ [0-9a-f]+ +(\S+)\t/.exec(listed.toString("utf8")) ?? [];
  if (mode === undefined) return false;
  if (!mode.startsWith("100")) throw new GitError(`${fileName} is not an ordinary file`, null);
  if (Number(size) > maxFileBytes)
    throw new GitError(`${fileName} is larger than ${maxFileBytes / 1024} KiB`, null);
  return true;
}

/** Other keys, such as commands to run for an update, are not used; other files, which it could name, are not read. */
async function readFile(repository: Repository): Promise<Omit<Submodule, "sha">[]> {
  const blob = `${repository.sha}:${fileName}`;
  const output = await ask(repository, ["config", "--no-includes", "--blob", blob, "-z", "--list"]);
  const found = new Map<string, { path?: string; url?: string }>();
  for (const entry of output.toString("utf8").split("\0")) {
    const [, name, key, value] = /^submodule\.([^\n]+)\.(path|url)\n([^]*)$/.exec(entry) ?? [];
    if (name === undefined || value === undefined) continue;
    found.set(name, { ...found.get(name), [key === "path" ? "path" : "url"]: value });
  }
  return [...found].flatMap(([name, { path, url }]) => {
    if (path === undefined) return [];
    checkNames(name, path);
    if (url === undefined)
      throw new GitError(`submodule ${JSON.stringify(path)} has no url in ${fileName}`, null);
    return [{ name, path, url }];
  });
}

const hasControls = /\p{Cc}/u;

function checkNames(name: string, path: string): void {
  const isBadName = name.length > 255 || hasControls.test(name) || name.split(/[/\\]/).includes("..");
  const parts = path.split("/");
  const isBadPart = parts.some((part) => ["", ".", ".."].includes(part) || part.toLowerCase() === ".git");
  const isBadPath = path.length > 4_096 || hasControls.test(path) || path.startsWith("-") || isBadPart;
  if (!isBadName && !isBadPath) return;
  const what = isBadName
    ? `name ${JSON.stringify(name.slice(0, 200))}`
    : `path ${JSON.stringify(path.slice(0, 200))}`;
  throw new GitError(`${fileName} has a submodule with the ${what}, which is not allowed`, null);
}

/** By path. */
async function readCommits(
  repository: Repository,
  paths: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (paths.length === 0) return new Map();
  const listed = await ask(repository, ["ls-tree", "-z", repository.sha, "--", ...paths]);
  const entries = listed.toString("utf8").split("\0");
  return new Map(
    entries.flatMap((entry): [string, string][] => {
      const [, sha, path] = /^160000 commit ([0-9a-f]{40})\t([^]+)$/.exec(entry) ?? [];
      return sha === undefined || path === undefined ? [] : [[path, sha]];
    }),
  );
}
