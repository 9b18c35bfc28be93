/**
 * Fetches the submodules of a checkout, one after the other. Not by `git submodule`, which would use one set of rules for all servers:
 * each repository is fetched as the job's own is, with what its server may see. They stay usable by the Git of the steps.
 */
import { appendFile, lstat, realpath } from "node:fs/promises";
import { join } from "node:path";
import { type GitAccess, GitError } from "../git.ts";
import { listSubmodules, type Submodule } from "./list-submodules.ts";
import { accessTo, isOwnServer, type SubmoduleServers } from "./submodule-access.ts";
import { resolveSubmoduleUrl } from "./submodule-url.ts";

const maxSubmodules = 100;
const maxDepth = 10;

export interface SubmoduleFetch extends SubmoduleServers {
  sha: string;
  directory: string;
  mode: "direct" | "recursive";
  signal: AbortSignal;
  onLine: (line: string) => void;
  /** Brings the commit into the directory, which is empty. Throws `GitError`. */
  checkOut: (one: { access: GitAccess; sha: string; directory: string }) => Promise<void>;
}

/** A repository that is checked out. */
interface Level {
  access: GitAccess;
  publicUrl: string;
  sha: string;
  directory: string;
  /** From the job's own repository to it; empty for that one. */
  path: string;
  depth: number;
}

/** Throws `GitError` that names the submodule. */
export async function fetchSubmodules(fetch: SubmoduleFetch): Promise<void> {
  let left = maxSubmodules;
  const { own: access, publicUrl, sha, directory } = fetch;
  const open: Level[] = [{ access, publicUrl, sha, directory, path: "", depth: 0 }];
  for (let level = open.shift(); level !== undefined; level = open.shift()) {
    const found = await listSubmodules({ ...level.access, ...level, signal: fetch.signal });
    if (found.length === 0) continue;
    if (level.depth === maxDepth)
      throw new GitError(`submodules are nested more than ${maxDepth} deep, at ${level.path}`, null);
    left -= found.length;
    if (left < 0) throw new GitError(`there are more than ${maxSubmodules} submodules`, null);
    for (const one of found) {
      const next = await fetchOne(fetch, level, one);
      if (fetch.mode === "recursive") open.push(next);
    }
  }
}

async function fetchOne(fetch: SubmoduleFetch, parent: Level, one: Submodule): Promise<Level> {
  const path = parent.path === "" ? one.path : `${parent.path}/${one.path}`;
  let isOwn = false;
  try {
    const url = resolveSubmoduleUrl(one.url, parent.publicUrl);
    isOwn = isOwnServer(url, fetch);
    const directory = await emptyDirectory(parent.directory, one.path);
    const access = await accessTo(url, fetch);
    fetch.onLine(`Fetching submodule ${path} (${one.sha.slice(0, 12)} of ${url.href})`);
    await fetch.checkOut({ access, sha: one.sha, directory });
    await register(parent.directory, one.name, access.url);
    return { access, publicUrl: url.href, sha: one.sha, directory, path, depth: parent.depth + 1 };
  } catch (error) {
    if (!(error instanceof GitError) || fetch.signal.aborted) throw error;
    const isHidden = isOwn && /not found|error: 40[134]\b/i.test(error.message);
    const hint = isHidden ? " (on this server, a job can read its own repository and public ones)" : "";
    throw new GitError(`submodule ${JSON.stringify(path)}: ${error.message}${hint}`, error.exitCode);
  }
}

/** The one that the checkout made for it. Throws where a link leads elsewhere. */
async function emptyDirectory(parent: string, path: string): Promise<string> {
  const directory = join(parent, path);
  const found = await lstat(directory).catch(() => null);
  const isThere = found?.isDirectory() === true;
  if (isThere && (await realpath(directory)) === join(await realpath(parent), path)) return directory;
  throw new GitError("there is something else at its path", null);
}

/** As `git submodule init` would. Name and address hold no line breaks by now. */
async function register(parent: string, name: string, url: string): Promise<void> {
  const section = `[submodule "${name.replaceAll(/["\\]/g, "\\$&")}"]`;
  await appendFile(
    join(parent, ".git", "config"),
    `${section}\n\tactive = true\n\turl = ${JSON.stringify(url)}\n`,
  );
}
