/**
 * A repository of its own inside another one's directory, into which is fetched what the other one shall get. It sees the objects
 * and refs of the other, so only what is new comes, and nobody sees what has not been judged. What is left by a sync that was
 * cut off is of use for the next one; maintenance removes what stays longer than a day.
 */
import { mkdir, open, readdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { allRefs } from "../refs/refs.ts";
import { lockFile } from "../../file-locks.ts";
import type { Git, RunGit } from "../processes/run-git.ts";

export interface ScratchRepository {
  directory: string;
  /** Of the objects that were fetched. */
  objects: string;
  /** Refs that were fetched, by their names at the source. */
  fetched(): Promise<Map<string, string>>;
  /** Bytes of the packs that were received, also of one that is on its way. */
  receivedBytes(): Promise<number>;
  /** Lets another process have it. Without `keep` it is removed first. */
  leave(options: { keep: boolean }): Promise<void>;
}

/** What is fetched stands apart from the refs of the other repository, with which its names may conflict. */
const fetchedPrefix = "refs/fetched/";

/** Where the scratch repository has a ref of the source. */
export function fetchedName(ref: string): string {
  return `${fetchedPrefix}${ref.slice("refs/".length)}`;
}

/** Removes what a process that died has left, if nobody has it. */
export async function dropScratchRepository(repository: string, name: string): Promise<void> {
  const directory = directoryOf(repository, name);
  const lock = await open(join(directory, lockName), "a", 0o600).catch(ignoreAbsent);
  if (!lock) return;
  if (await lockFile(lock, "exclusive")) await rm(directory, { recursive: true, force: true });
  await lock.close();
}

const lockName = "in-use";
const directoryOf = (repository: string, name: string) => join(repository, "objects", `tmp_objdir-${name}`);

function ignoreAbsent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}

/** Undefined while another process has it. `name` distinguishes those of one repository. */
export async function enterScratchRepository(
  git: Pick<Git, "run" | "start">,
  repository: string,
  name: string,
): Promise<ScratchRepository | undefined> {
  const directory = directoryOf(repository, name);
  const objects = join(directory, "objects");
  await mkdir(join(objects, "pack"), { recursive: true });
  await mkdir(join(objects, "info"), { recursive: true });
  await mkdir(join(directory, "refs"), { recursive: true });
  const lock = await open(join(directory, lockName), "a", 0o600);
  if (!(await lockFile(lock, "exclusive"))) {
    await lock.close();
    return undefined;
  }
  await writeFile(join(directory, "HEAD"), "ref: refs/heads/none\n");
  await writeFile(join(directory, "config"), "[core]\n\trepositoryformatversion = 0\n\tbare = true\n");
  await writeFile(join(objects, "info", "alternates"), "../..\n");
  await copyRefs(git.run, repository, directory);
  return {
    directory,
    objects,
    async fetched() {
      const refs = [...(await allRefs(git.start, directory))];
      return new Map(
        refs
          .filter(([ref]) => ref.startsWith(fetchedPrefix))
          .map(([ref, oid]) => [`refs/${ref.slice(fetchedPrefix.length)}`, oid]),
      );
    },
    receivedBytes: () => packBytes(join(objects, "pack")),
    async leave({ keep }) {
      if (!keep) await rm(directory, { recursive: true, force: true });
      await lock.close();
    },
  };
}

async function copyRefs(runGit: RunGit, repository: string, directory: string): Promise<void> {
  const { stdout } = await runGit({
    directory: repository,
    args: ["for-each-ref", "--format=%(objectname) %(refname)"],
    timeoutMs: 600_000,
    background: true,
    maxOutputBytes: 256 * 1024 * 1024,
  });
  await writeFile(join(directory, "packed-refs"), `# pack-refs with: sorted \n${stdout.toString("utf8")}`);
}

async function packBytes(folder: string): Promise<number> {
  let bytes = 0;
  for (const name of await readdir(folder).catch(() => []))
    if (name.endsWith(".pack") || name.startsWith("tmp_pack_"))
      bytes += (await stat(join(folder, name)).catch(() => undefined))?.size ?? 0;
  return bytes;
}
