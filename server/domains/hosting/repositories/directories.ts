/**
 * Keeps rows and directories of repositories one to one. A directory without a row was left by a crash during a creation, or is
 * newer than a restored database: it is moved aside, where an administrator can find it for a month. A row without a directory
 * gets an empty one.
 */
import type { Database } from "../../../platform/db/database.ts";
import type { RepositoryStorage } from "../../../platform/git/storage/storage.ts";
import type { Logger } from "../../../platform/logger.ts";
import type { UpkeepTask } from "../../../platform/upkeep-task.ts";
import { findUnknown, listAll, type KeptRepository } from "./directory.store.ts";

export interface RepositoryDirectories {
  /** All repositories, including deleted ones. */
  all(): AsyncIterable<KeptRepository>;
  /** Creates missing parts of the repository's directory; returns a message that says what was wrong, or undefined. */
  complete(repository: KeptRepository): Promise<string | undefined>;
  /** Moves directories without a row aside if they are at least that old; returns their ids. A second call finds none. */
  setAside(olderThanMs: number): Promise<string[]>;
  upkeepTasks: readonly UpkeepTask[];
}

export interface RepositoryDirectoriesDeps {
  db: Database;
  storage: RepositoryStorage;
  logger: Logger;
}

const dayMs = 24 * 3600 * 1000;
const keptAsideMs = 30 * dayMs;
const sweepEveryMs = 6 * 3600 * 1000;
const batch = 500;

export function createRepositoryDirectories(deps: RepositoryDirectoriesDeps): RepositoryDirectories {
  const { db, storage, logger } = deps;

  async function* all(): AsyncGenerator<KeptRepository> {
    for (let after = ""; ;) {
      const rows = await listAll(db, after, batch);
      yield* rows;
      const last = rows.at(-1);
      if (!last) return;
      after = last.id;
    }
  }

  async function setAside(olderThanMs: number): Promise<string[]> {
    const moved: string[] = [];
    for await (const ids of batches(storage.list(olderThanMs)))
      for (const id of await findUnknown(db, ids)) {
        await storage.setAside(id);
        logger.warn({ repository_id: id }, "set aside a repository directory that is not in the database");
        moved.push(id);
      }
    return moved;
  }

  const sweep = async () => {
    await setAside(dayMs);
    await storage.dropSetAside(keptAsideMs);
  };

  return {
    all,
    async complete({ id, defaultBranch }) {
      if ((await problemOf(storage, id)) === undefined) return undefined;
      await storage.create(id, defaultBranch);
      const left = await problemOf(storage, id);
      return left === undefined ? completed : `the directory cannot be used: ${left}`;
    },
    setAside,
    upkeepTasks: [{ name: "find_lost_directories", everyMs: sweepEveryMs, run: sweep }],
  };
}

const completed =
  "the directory was missing or incomplete; it was created again, but its content may be lost";

function problemOf(storage: RepositoryStorage, id: string): Promise<string | undefined> {
  return storage.check(id).then(
    () => undefined,
    (error: Error) => error.message,
  );
}

async function* batches(ids: AsyncIterable<string>): AsyncGenerator<string[]> {
  let some: string[] = [];
  for await (const id of ids) {
    some.push(id);
    if (some.length < batch) continue;
    yield some;
    some = [];
  }
  if (some.length > 0) yield some;
}
