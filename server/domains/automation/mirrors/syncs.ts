/** Syncs of mirrors, from their beginning in the database to their end there. */
import { AppError } from "../../../platform/app-error.ts";
import { crashPoint } from "../../../platform/crash-point.ts";
import type { Database } from "../../../platform/db/database.ts";
import { newId } from "../../../platform/ids.ts";
import type { Encryption } from "../../../platform/keys/encryption.ts";
import type { Logger } from "../../../platform/logger.ts";
import type { Outbound } from "../../../platform/outbound/outbound.ts";
import type { RelayProblem } from "../../../platform/git/remote/https-relay.ts";
import { openRemote } from "../../../platform/git/remote/open-remote.ts";
import { alertAfter, type MirrorAlerts } from "./alerts.ts";
import { loginOf } from "./credentials.ts";
import { createLfsSource, type LfsObject } from "./lfs-source.ts";
import type { MirrorMetrics } from "./metrics.ts";
import { storedSource } from "./source-address.ts";
import { problemOf } from "./sync-problem.ts";
import * as store from "./syncs.store.ts";
import { takeSource, type TakeSourceDeps } from "./take-source.ts";
import { backOffMs } from "./timing.ts";

export interface MirrorSyncs {
  /**
   * One sync, if one is due. What is wrong with the source is recorded; throws for what a later attempt may not meet, such as a
   * database that is away, and the signal's reason. `work` names the workflow's run: its sync is continued.
   */
  sync(repositoryId: string, how: { work: string; signal: AbortSignal }): Promise<void>;
  /** For work that was cancelled or has failed: ends what runs. */
  giveUp(repositoryId: string): Promise<void>;
}

export interface MirrorSyncDeps extends TakeSourceDeps {
  db: Database;
  logger: Logger;
  encryption: Encryption;
  outbound: Outbound;
  alerts: MirrorAlerts;
  metrics: MirrorMetrics;
  lfs: MirrorLfs;
}

/** What mirrors need of Git LFS. */
export interface MirrorLfs {
  findMissing(repositoryId: string, wanted: readonly LfsObject[]): Promise<LfsObject[]>;
  transfers: {
    receive(
      who: { repositoryId: string; userId: string | null },
      object: LfsObject,
      source: AsyncIterable<Buffer>,
    ): Promise<void>;
  };
}

const stopped = "It was stopped before it ended.";
const noteEveryMs = 2_000;

interface Begun {
  mirror: store.DueMirror;
  syncId: string;
}

export function createMirrorSyncs(deps: MirrorSyncDeps): MirrorSyncs {
  const { db, logger } = deps;

  /** Undefined where none is due. */
  function begin(repositoryId: string, work: string): Promise<Begun | undefined> {
    return db.transaction(async (tx) => {
      const mirror = await store.lockDue(tx, repositoryId);
      if (!mirror) return undefined;
      const running = await store.findRunning(tx, mirror.id);
      if (running?.work === work) return { mirror, syncId: running.id };
      if (running) await store.stopSync(tx, running.id, stopped);
      if (mirror.waits) return undefined;
      const syncId = newId("sync");
      await store.insertSync(tx, {
        id: syncId,
        mirrorId: mirror.id,
        cause: mirror.requested ?? "schedule",
        work,
      });
      await store.clearRequest(tx, mirror.id);
      return { mirror, syncId };
    });
  }

  async function succeed({ mirror, syncId }: Begun, outcome: store.Outcome, hostKey: string | null) {
    crashPoint("mirror.recorded-before-finished");
    await db.transaction(async (tx) => {
      if (!(await store.succeedSync(tx, syncId, outcome))) return;
      const shown = { hostKey, sourceUrl: mirror.source_url };
      const before = await store.noteSuccess(tx, mirror.id, shown);
      if (before?.alerted_at && before.failing_since)
        await deps.alerts.worksAgain(tx, mirror, before.failing_since);
    });
  }

  async function fail({ mirror, syncId }: Begun, error: string, hostKey: string | null): Promise<void> {
    await db.transaction(async (tx) => {
      if (!(await store.failSync(tx, syncId, error))) return;
      const timing = {
        intervalMinutes: mirror.interval_minutes,
        cron: mirror.cron,
        timezone: mirror.timezone,
      };
      const waitMs = backOffMs(timing, mirror.failures + 1);
      const shown = { hostKey, sourceUrl: mirror.source_url };
      const now = await store.noteFailure(tx, mirror.id, { ...shown, waitMs });
      if (!now?.failing_since || now.failures < alertAfter || now.alerted_at) return;
      await deps.alerts.failing(tx, mirror, { since: now.failing_since, error });
      await store.noteAlert(tx, mirror.id);
    });
  }

  return {
    async sync(repositoryId, { work, signal }) {
      const repository = await deps.mirroring.find(repositoryId);
      const begun = repository && (await begin(repositoryId, work));
      if (!repository || !begun) return;
      const startedMs = performance.now();
      const reporter = createReporter(db, begun.syncId);
      const ended = (outcome: "changed" | "unchanged" | "failed") =>
        deps.metrics.ended({
          outcome,
          seconds: (performance.now() - startedMs) / 1000,
          bytes: reporter.bytes(),
        });
      const seen: Seen = { hostKey: null, problem: undefined };
      try {
        const outcome = await run(deps, begun, { repository, signal, reporter, seen });
        await succeed(begun, outcome, seen.hostKey);
        ended(outcome.changedRefs > 0 ? "changed" : "unchanged");
      } catch (error) {
        signal.throwIfAborted();
        const problem = problemOf(error, seen.problem);
        if (problem === undefined) throw error;
        logger.info({ err: error, repository_id: repositoryId }, "a mirror could not be synced");
        await fail(begun, problem, seen.hostKey);
        ended("failed");
      }
    },
    giveUp: (repositoryId) => store.stopOfRepository(db, repositoryId, stopped),
  };
}

type Reporter = ReturnType<typeof createReporter>;

/** Writes progress from time to time; whether it reaches the database is not important. */
function createReporter(db: Database, syncId: string) {
  let at: store.Progress = { step: "connecting", bytes: 0, lfsObjects: 0 };
  let notedMs = performance.now();
  return {
    bytes: () => at.bytes,
    report(progress: Partial<store.Progress>): void {
      at = { ...at, ...progress };
      if (performance.now() - notedMs < noteEveryMs) return;
      notedMs = performance.now();
      void store.noteProgress(db, syncId, at).catch(() => undefined);
    },
  };
}

interface Running {
  repository: Parameters<typeof takeSource>[1]["repository"];
  signal: AbortSignal;
  reporter: Reporter;
  seen: Seen;
}

/** What is known of the source after a connection, whatever became of it. */
interface Seen {
  hostKey: string | null;
  problem: RelayProblem | undefined;
}

async function run(
  deps: MirrorSyncDeps,
  { mirror, syncId }: Begun,
  { repository, signal, reporter, seen }: Running,
): Promise<store.Outcome> {
  const source = storedSource(mirror.source_url);
  const login = loginOf(deps.encryption, mirror.id, mirror);
  const remote = await openRemote(deps.outbound, source, login);
  async function takeLfs(largeFiles: readonly LfsObject[]): Promise<{ objects: number; notes: string[] }> {
    if (!mirror.lfs || largeFiles.length === 0) return { objects: 0, notes: [] };
    const missing = await deps.lfs.findMissing(repository.id, largeFiles);
    if (missing.length === 0) return { objects: 0, notes: [] };
    if (source.protocol !== "https")
      return {
        objects: 0,
        notes: [`${missing.length} Git LFS objects were left out: they come over https only.`],
      };
    let objects = 0;
    const who = { repositoryId: repository.id, userId: null };
    const absent = await createLfsSource(deps.outbound, { source, login, signal }).bring(
      missing,
      async (object, bytes) => {
        await deps.lfs.transfers.receive(who, object, bytes).catch(mustBeLasting);
        objects += 1;
        reporter.report({ lfsObjects: objects });
      },
    );
    return {
      objects,
      notes: absent > 0 ? [`The source does not have ${absent} of its Git LFS objects.`] : [],
    };
  }
  try {
    return await takeSource(deps, {
      repository,
      mirror,
      remote,
      signal,
      progress: reporter.report,
      plan: (changes) => store.notePlan(deps.db, syncId, changes),
      takeLfs,
      needsLfs: mirror.lfs && !mirror.lfs_complete,
    });
  } finally {
    seen.hostKey = await remote.hostKey().catch(() => null);
    seen.problem = remote.problem();
    await remote.close();
  }
}

/** Another transfer of the same object ends by itself. */
function mustBeLasting(error: unknown): never {
  if (error instanceof AppError && error.code === "rate_limit_exceeded")
    throw new AppError("unavailable", { message: error.message, cause: error });
  throw error;
}
