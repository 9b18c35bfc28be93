/**
 * Keeps what a sync takes refs away from, by refs that only the server reads, so that maintenance does not remove it: for 30 days,
 * and what was there before the repository was a mirror as long as it is one.
 */
import type { Database } from "../../../platform/db/database.ts";
import type { Git } from "../../../platform/git/processes/run-git.ts";
import { keptRefs, zeroId } from "../../../platform/git/refs/names.ts";
import type { RefUpdate } from "../../../platform/git/refs/ref-update.ts";
import { syncRefs } from "../../../platform/git/refs/refs.ts";
import type { RepositoryStorage } from "../../../platform/git/storage/storage.ts";
import { countKept, deleteKept, insertKept, listExpired } from "./kept-objects.store.ts";

export interface KeptObjects {
  /**
   * To be called before the refs move. `directory` sees the objects of before and after; `tips` are all refs of after. Returns how
   * many it did not keep, because very many are.
   */
  keep(repositoryId: string, change: LosingChange): Promise<number>;
  /** Lets go what is over its time; how many. May run twice. */
  removeExpired(signal: AbortSignal): Promise<number>;
}

export interface LosingChange {
  directory: string;
  updates: readonly RefUpdate[];
  tips: Iterable<string>;
  always: boolean;
}

const batch = 500;
/** Of one repository: a source that forces all its branches again and again must not fill the disk with refs. */
const maxKept = 20_000;
/** Room for six million commits. */
const maxListBytes = 256 * 1024 * 1024;
const refOf = (oid: string) => `${keptRefs}/${oid}`;

export function createKeptObjects(deps: { db: Database; git: Git; storage: RepositoryStorage }): KeptObjects {
  const { db, git, storage } = deps;

  async function updateRefs(repositoryId: string, commands: readonly string[]): Promise<void> {
    const directory = storage.directory(repositoryId);
    await git.run({
      directory,
      args: ["update-ref", "--no-deref", "-z", "--stdin"],
      input: commands.join(""),
      timeoutMs: 600_000,
      background: true,
    });
    await syncRefs(directory, [refOf(zeroId)]);
  }

  return {
    async keep(repositoryId, { directory, updates, tips, always }) {
      const lost = [...(await lostTips(git, directory, { updates, tips }))];
      if (lost.length === 0) return 0;
      const room = always ? lost.length : Math.max(0, maxKept - (await countKept(db, repositoryId)));
      const oids = lost.slice(0, room);
      await insertKept(db, repositoryId, { oids, always });
      await updateRefs(
        repositoryId,
        oids.map((oid) => `update ${refOf(oid)}\0${oid}\0\0`),
      );
      return lost.length - oids.length;
    },
    async removeExpired(signal) {
      let removed = 0;
      for (;;) {
        const rows = await listExpired(db, batch);
        const ids = new Set(rows.map(({ repository_id: id }) => id));
        for (const id of ids) {
          signal.throwIfAborted();
          const oids = rows.filter(({ repository_id: of }) => of === id).map(({ oid }) => oid);
          await updateRefs(
            id,
            oids.map((oid) => `delete ${refOf(oid)}\0\0`),
          );
          await deleteKept(db, id, oids);
          removed += oids.length;
        }
        if (rows.length < batch) return removed;
      }
    },
  };
}

/** Values of before that no ref of after reaches; of tags, which name more than commits, all. */
async function lostTips(
  git: Git,
  directory: string,
  { updates, tips }: { updates: readonly RefUpdate[]; tips: Iterable<string> },
): Promise<Set<string>> {
  const replaced = updates.filter(({ before }) => before !== zeroId);
  const lost = new Set(
    replaced.filter(({ ref }) => !ref.startsWith("refs/heads/")).map(({ before }) => before),
  );
  const branches = new Set(
    replaced.filter(({ ref }) => ref.startsWith("refs/heads/")).map(({ before }) => before),
  );
  if (branches.size === 0) return lost;
  const input = [...branches, ...[...tips].map((oid) => `^${oid}`)].join("\n");
  const { stdout } = await git.run({
    directory,
    args: ["rev-list", "--stdin"],
    input: `${input}\n`,
    timeoutMs: 600_000,
    background: true,
    maxOutputBytes: maxListBytes,
  });
  for (const oid of stdout.toString("latin1").split("\n")) if (branches.has(oid)) lost.add(oid);
  return lost;
}
