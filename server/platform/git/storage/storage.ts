/** Knows where a repository is on disk; nobody else builds such a path. Bare repositories, sharded by id. */
import { lstat, mkdir, readdir, readFile, rename, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { replaceFile, syncDirectory } from "../../durable-files.ts";
import { isSafeRefName } from "../refs/names.ts";

export interface RepositoryStorage {
  /** Directory of the bare repository; nothing is touched. */
  directory(repositoryId: string): string;
  /** Makes an empty repository, durably. Idempotent. */
  create(repositoryId: string, defaultBranch: string): Promise<void>;
  /** Durably. What new clones check out; the branch need not exist. */
  setDefaultBranch(repositoryId: string, branch: string): Promise<void>;
  /**
   * Throws when the repository is absent or not as we made it: another configuration, links in place of its
   * directories, another owner, objects borrowed from elsewhere.
   */
  check(repositoryId: string): Promise<void>;
  /** Removes it; absent is fine. */
  remove(repositoryId: string): Promise<void>;
  /** Ids of all repositories that have a directory, those that were begun `olderThanMs` ago or earlier. */
  list(olderThanMs: number): AsyncIterable<string>;
  /** Moves it to `DATA_DIR/unclaimed`, where nothing uses it; may be absent. */
  setAside(repositoryId: string): Promise<void>;
  /** Removes those moved aside longer ago than that; returns how many. */
  dropSetAside(olderThanMs: number): Promise<number>;
}

/** Everything else comes by environment; a file that says more was not written by us. */
const configuration = "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = true\n";

export function createRepositoryStorage(dataDirectory: string): RepositoryStorage {
  const root = join(dataDirectory, "repositories");
  const aside = join(dataDirectory, "unclaimed");
  const directory = (repositoryId: string) => {
    if (!repositoryIdPattern.test(repositoryId)) throw new Error("not a repository id");
    // The end of a ULID is random, its start is time: the end spreads.
    return join(root, repositoryId.slice(-2), `${repositoryId}.git`);
  };
  return {
    directory,
    async create(repositoryId, defaultBranch) {
      if (!isSafeRefName(defaultBranch)) throw new Error("not a branch name");
      await createBare(directory(repositoryId), defaultBranch);
    },
    async setDefaultBranch(repositoryId, branch) {
      if (!isSafeRefName(branch)) throw new Error("not a branch name");
      await replaceFile(join(directory(repositoryId), "HEAD"), `ref: refs/heads/${branch}\n`);
      await syncDirectory(directory(repositoryId));
    },
    async check(repositoryId) {
      const problem = await findForeignEntry(directory(repositoryId));
      if (problem) throw new Error(`${repositoryId}: ${problem}`);
    },
    async remove(repositoryId) {
      await rm(directory(repositoryId), { recursive: true, force: true });
    },
    list: (olderThanMs) => listRepositories(root, olderThanMs),
    async setAside(repositoryId) {
      await mkdir(aside, { recursive: true, mode: 0o700 });
      const place = join(aside, `${repositoryId}.git`);
      const now = new Date();
      // The time from which on it is kept.
      await utimes(directory(repositoryId), now, now).catch(ignoreAbsent);
      await rename(directory(repositoryId), place).catch(ignoreAbsent);
    },
    async dropSetAside(olderThanMs) {
      let dropped = 0;
      for (const name of await readdir(aside).catch(() => [])) {
        const info = await stat(join(aside, name)).catch(ignoreAbsent);
        if (!info || Date.now() - info.mtimeMs < olderThanMs) continue;
        await rm(join(aside, name), { recursive: true, force: true });
        dropped += 1;
      }
      return dropped;
    },
  };
}

async function findForeignEntry(directory: string): Promise<string | undefined> {
  const found = await readFile(join(directory, "config"), "utf8");
  if (found !== configuration) return "the configuration was changed";
  for (const part of [".", "objects", "objects/pack", "refs"]) {
    const entry = await lstat(join(directory, part));
    if (!entry.isDirectory()) return `${part} is no directory`;
    if (entry.uid !== process.getuid?.()) return `${part} belongs to another user`;
  }
  for (const part of ["objects/info/alternates", "objects/info/http-alternates", "commondir"])
    if (await isThere(join(directory, part))) return `there is ${part}`;
  return undefined;
}

async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
    throw error;
  }
}

const repositoryIdPattern = /^repo_[0-9a-z]{26}$/;

async function* listRepositories(root: string, olderThanMs: number): AsyncGenerator<string> {
  for (const shard of await readdir(root).catch(() => []))
    for (const name of await readdir(join(root, shard)).catch(() => [])) {
      const id = name.replace(/\.git$/, "");
      if (!repositoryIdPattern.test(id)) continue;
      const info = await stat(join(root, shard, name)).catch(ignoreAbsent);
      if (info && Date.now() - info.mtimeMs >= olderThanMs) yield id;
    }
}

function ignoreAbsent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}

/** What `git init --bare` makes, less its sample hooks, without starting a process. */
async function createBare(directory: string, defaultBranch: string): Promise<void> {
  for (const part of ["objects/pack", "objects/info", "refs/heads", "refs/tags"])
    await mkdir(join(directory, part), { recursive: true, mode: 0o700 });
  await replaceFile(join(directory, "config"), configuration);
  await replaceFile(join(directory, "HEAD"), `ref: refs/heads/${defaultBranch}\n`);
  for (const part of ["refs", "objects", ".", "..", "../.."]) await syncDirectory(join(directory, part));
}
