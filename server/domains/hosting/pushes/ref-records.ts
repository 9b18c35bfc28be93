/**
 * Makes the record of pushes match the refs, for example after a restore of a database that is older or newer than the
 * repositories. The repositories are authoritative: a ref that differs from its record is recorded as found.
 */
import type { Database, Transaction } from "../../../platform/db/database.ts";
import { zeroId } from "../../../platform/git/refs/names.ts";
import { allRefs, missingObjects } from "../../../platform/git/refs/refs.ts";
import type { RunGit, StartGit } from "../../../platform/git/processes/run-git.ts";
import type { RepositoryStorage } from "../../../platform/git/storage/storage.ts";
import { newId } from "../../../platform/ids.ts";
import type { RefUpdate } from "../../../platform/git/refs/ref-update.ts";
import { insertFound, lastRecorded } from "./pushes.store.ts";

export interface RefRecords {
  /**
   * Records each ref that differs from its last record; returns those updates. Starts no pipelines: what was pushed may have
   * had its run already. To be called while nobody can push, after open intents were settled; twice finds nothing more.
   */
  reconcile(repositoryId: string): Promise<RefUpdate[]>;
  /** Refs whose object is missing. */
  broken(repositoryId: string): Promise<string[]>;
}

export interface RefRecordsDeps {
  db: Database;
  storage: Pick<RepositoryStorage, "directory">;
  git: { run: RunGit; start: StartGit };
  /** Requests a new measurement of the repository's size. */
  measure(tx: Transaction, repositoryId: string): Promise<void>;
}

export function createRefRecords({ db, storage, git, measure }: RefRecordsDeps): RefRecords {
  return {
    async reconcile(repositoryId) {
      const now = await allRefs(git.start, storage.directory(repositoryId));
      const updates = differences(await lastRecorded(db, repositoryId), now);
      if (updates.length === 0) return [];
      await db.transaction(async (tx) => {
        await insertFound(tx, { id: newId("push"), repositoryId, updates });
        await measure(tx, repositoryId);
      });
      return updates;
    },
    async broken(repositoryId) {
      const directory = storage.directory(repositoryId);
      const refs = await allRefs(git.start, directory);
      const missing = new Set(await missingObjects(git.run, directory, [...new Set(refs.values())]));
      return Array.from(refs).flatMap(([ref, oid]) => (missing.has(oid) ? [ref] : []));
    },
  };
}

/** From the recorded to the current value, by name. */
export function differences(
  recorded: ReadonlyMap<string, string>,
  now: ReadonlyMap<string, string>,
): RefUpdate[] {
  const names = [...new Set([...recorded.keys(), ...now.keys()])].toSorted();
  return names.flatMap((ref) => {
    const before = recorded.get(ref) ?? zeroId;
    const after = now.get(ref) ?? zeroId;
    return before === after ? [] : [{ ref, before, after }];
  });
}
