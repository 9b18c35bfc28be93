/** Knows where a repository lies on disk; nobody else builds such a path. Bare repositories, sharded by id. */
import { lstat, mkdir, open, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isSafeRefName } from "./names.ts";

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
}

/** Everything else comes by environment; a file that says more was not written by us. */
const configuration = "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = true\n";

export function createRepositoryStorage(dataDirectory: string): RepositoryStorage {
  const root = join(dataDirectory, "repositories");
  const directory = (repositoryId: string) => {
    if (!/^repo_[0-9a-z]{26}$/.test(repositoryId)) throw new Error("not a repository id");
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
      await writeDurably(join(directory(repositoryId), "HEAD"), `ref: refs/heads/${branch}\n`);
      await syncDirectory(directory(repositoryId));
    },
    async check(repositoryId) {
      const problem = await whatIsForeign(directory(repositoryId));
      if (problem) throw new Error(`${repositoryId}: ${problem}`);
    },
    async remove(repositoryId) {
      await rm(directory(repositoryId), { recursive: true, force: true });
    },
  };
}

async function whatIsForeign(directory: string): Promise<string | undefined> {
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

/** What `git init --bare` makes, less its sample hooks, without starting a process. */
async function createBare(directory: string, defaultBranch: string): Promise<void> {
  for (const part of ["objects/pack", "objects/info", "refs/heads", "refs/tags"])
    await mkdir(join(directory, part), { recursive: true, mode: 0o700 });
  await writeDurably(join(directory, "config"), configuration);
  await writeDurably(join(directory, "HEAD"), `ref: refs/heads/${defaultBranch}\n`);
  for (const part of ["refs", "objects", ".", "..", "../.."]) await syncDirectory(join(directory, part));
}

async function writeDurably(path: string, text: string): Promise<void> {
  await writeFile(`${path}.new`, text, { flush: true });
  await rename(`${path}.new`, path);
}

async function syncDirectory(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
