/** Logs as the rest of the server sees them: the parts of this folder, wired together. */
import type { Registry } from "prom-client";
import type { Database } from "../../../platform/db/database.ts";
import type { Logger } from "../../../platform/logger.ts";
import type { ObjectStore } from "../../../platform/objects/object-store.ts";
import { createLogFeed, type LogFeed } from "./feed.ts";
import { createLogIngest, type LogIngest } from "./ingest.ts";
import { createLogMetrics } from "./metrics.ts";
import { createLogMover, type LogMover } from "./mover.ts";
import { createLogNotifier } from "./notifier.ts";
import { createLogReader, type LogReader } from "./reader.ts";
import { createRunStates, type RunStates, type StreamFilter } from "./run-state.ts";
import { findRun, selectLogs, type FoundRun, type LogSelection } from "./selection.ts";
import { createLogView, type LogView } from "./view.ts";

export interface LogService {
  /** For the runner hub. */
  ingest: LogIngest;
  /** For whoever shows logs. */
  reader: LogReader;
  view: LogView;
  /** The run of a repository by id or number. Throws `not_found`. */
  findRun(repositoryId: string, idOrNumber: string): Promise<FoundRun>;
  /** Of the run that `findRun` finds. Throws `not_found`. */
  select(repositoryId: string, idOrNumber: string, filter: StreamFilter): Promise<LogSelection>;
  /** For whoever follows a run. */
  runs: RunStates;
  /**
   * Calls back with each token or session that ended; empty: those of some user may have lost rights. The result unsubscribes.
   */
  onCredentialEnd(listener: (id: string) => void): () => void;
  feed: LogFeed;
  mover: LogMover;
  /** Waits for what is under way. */
  close(): Promise<void>;
}

export interface LogServiceDeps {
  db: Database;
  objects: ObjectStore;
  logger: Logger;
  registry: Registry;
}

export function createLogService(deps: LogServiceDeps): LogService {
  const metrics = createLogMetrics(deps.registry);
  const feed = createLogFeed();
  const reader = createLogReader(deps);
  const mover = createLogMover(deps);
  const notifier = createLogNotifier(deps.db, deps.logger);
  const ingest = createLogIngest({
    ...deps,
    feed,
    notifier,
    storedSha256: (streamId, length) => reader.sha256(streamId, length),
    onStored(streamId, bytes) {
      metrics.stored(bytes);
      mover.grew(streamId, bytes.stored);
    },
    onEnded: (streamId) => mover.ended(streamId),
  });
  const stop = deps.db.listen("log", (payload) => {
    const separator = payload.lastIndexOf(":");
    if (separator < 0) return feed.lookAgain();
    const streamId = payload.slice(0, separator);
    const what = payload.slice(separator + 1);
    if (what === "eof") feed.end(streamId);
    else feed.hint(streamId, Number(what));
  });
  return {
    ingest,
    reader,
    view: createLogView({ db: deps.db, reader }),
    findRun: (repositoryId, idOrNumber) => findRun(deps.db, repositoryId, idOrNumber),
    select: async (repositoryId, idOrNumber, filter) =>
      selectLogs(deps.db, await findRun(deps.db, repositoryId, idOrNumber), filter),
    runs: createRunStates(deps.db),
    onCredentialEnd: (listener) => deps.db.listen("token", listener),
    feed,
    mover,
    async close() {
      stop();
      await notifier.close();
      await mover.close();
    },
  };
}
