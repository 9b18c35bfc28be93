/** Syncs of forks as people ask for them, and schedule them. */
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import type {
  ForkSchedule,
  ForkScheduleSet,
  ForkStanding,
  ForkSync,
  ForkSyncRequest,
} from "@forgeline/schemas/fork-syncs/resource.ts";
import { userIdOf, type Actor } from "../../../platform/access/actor.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import { AppError, invalidField } from "../../../platform/app-error.ts";
import type { Database, Transaction } from "../../../platform/db/database.ts";
import { newId } from "../../../platform/ids.ts";
import { createWakeUp } from "../../../platform/wake-up.ts";
import type { Upstreams } from "../../hosting/domain.ts";
import { recordAudit, type AuditEntry } from "../../operation/domain.ts";
import type { RepositoryRef } from "../../policy/domain.ts";
import type { MirrorSchedules } from "../mirrors/sync-schedules.ts";
import { readTiming } from "../mirrors/timing.ts";
import type { CompareFork } from "./compare-fork.ts";
import { findSchedule, putSchedule, deleteSchedule } from "./fork-schedules.store.ts";
import * as store from "./fork-syncs.store.ts";
import { ForkProblem } from "./plan-branches.ts";
import { presentDryRun, presentForkSchedule, presentForkSync, presentUpstream } from "./present.ts";
import { addForkScheduleIntent, addForkSyncIntent } from "./schedules.ts";
import { lookAhead, type ForkWorkDeps } from "./sync-fork.ts";
import { conflictText, endedChannel } from "./syncs.ts";

export interface ForkSyncService {
  /** `branch`: the default one unless it is given. */
  standing(actor: Actor, repository: RepositoryRef, branch: string | undefined): Promise<ForkStanding>;
  /**
   * Waits some seconds for the outcome; `isOpen` where it takes longer. Throws `conflict` with `conflicts` where files cannot be
   * merged, and for what is no fork or cannot be synced.
   */
  sync(
    actor: Actor,
    repository: RepositoryRef,
    wanted: ForkSyncRequest,
  ): Promise<{ sync: ForkSync; isOpen: boolean }>;
  history(repository: RepositoryRef, page: PageQuery): Promise<{ items: ForkSync[]; total: number }>;
  /** Throws `validation_failed`, and `conflict` for what is no fork. */
  setSchedule(actor: Actor, repository: RepositoryRef, wanted: ForkScheduleSet): Promise<ForkSchedule>;
  /** Throws `not_found`. */
  removeSchedule(actor: Actor, repository: RepositoryRef): Promise<void>;
  /** Begins the last sync again, for whom it was; does nothing where there was none, or one is open. */
  again(repositoryId: string): Promise<void>;
}

export interface ForkSyncServiceDeps extends ForkWorkDeps {
  db: Database;
  addresses: Addresses;
  upstreams: Upstreams;
  compare: CompareFork;
  schedules: Pick<MirrorSchedules, "nextTimes">;
}

/** One answer for all three, so that nobody learns of what they may not see. */
const noUpstream = "This is not a fork, or its upstream is gone, or you may not read it.";
const patienceMs = 5_000;
/** A sync goes on without whoever asked for it; a dry run does not. */
const dryRunMs = 30_000;
const lookEveryMs = 250;

export function createForkSyncService(deps: ForkSyncServiceDeps): ForkSyncService {
  const { db } = deps;

  async function upstreamOf(actor: Actor, repository: RepositoryRef): Promise<RepositoryRef> {
    if (repository.mirror) throw new AppError("repository_mirrored");
    const upstream = await deps.upstreams.of(repository.id, actor);
    if (!upstream) throw new AppError("conflict", { message: noUpstream });
    return upstream;
  }

  /** The sync that is to be waited for: a new one, or the same that somebody else wants just now. */
  async function request(actor: Actor, repository: RepositoryRef, branch: string | null): Promise<string> {
    return db.transaction(async (tx) => {
      const id = newId("fsyn");
      const userId = userIdOf(actor);
      const wanted = { id, repositoryId: repository.id, cause: "manual", branch, userId } as const;
      if (!(await store.insertSync(tx, wanted))) {
        const open = await store.findOpen(tx, repository.id);
        if (open?.branch === branch) return open.id;
        throw new AppError("conflict", {
          message: "Another sync of this fork is running.",
          retryAfterSeconds: 5,
        });
      }
      await record(tx, { actor, repository }, { action: "fork_sync.request", details: { branch } });
      await addForkSyncIntent(tx, { repositoryId: repository.id, syncId: id });
      return id;
    });
  }

  const showSchedule = async (repository: RepositoryRef) => {
    const row = await findSchedule(db, repository.id);
    if (!row) return null;
    const rests = repository.archived || !row.enabled;
    const nextTimes = rests ? [] : await deps.schedules.nextTimes(repository.id);
    return presentForkSchedule(row, nextTimes ?? []);
  };

  return {
    async standing(actor, repository, branch = repository.defaultBranch) {
      const upstream = await deps.upstreams.of(repository.id, actor);
      const [distance, newest, schedule] = await Promise.all([
        upstream && deps.compare({ fork: repository, upstream, branch }),
        store.findNewest(db, repository.id),
        showSchedule(repository),
      ]);
      return {
        upstream: upstream ? presentUpstream(upstream, deps.addresses) : null,
        branch,
        behind: distance?.behind ?? null,
        ahead: distance?.ahead ?? null,
        last_sync: newest ? presentForkSync(newest) : null,
        schedule,
      };
    },
    async sync(actor, repository, { branch = null, dry_run: isDry }) {
      const upstream = await upstreamOf(actor, repository);
      if (isDry) {
        const signal = AbortSignal.timeout(dryRunMs);
        const pair = { fork: repository, upstream, branch, signal };
        const outcome = await lookAhead(deps, pair).catch((error: unknown) => asRefusal(error, signal));
        refuseConflicts(outcome);
        return { sync: presentDryRun(outcome, { branch, user: actor.username }), isOpen: false };
      }
      const row = await outcomeOf(db, await request(actor, repository, branch));
      const isOpen = row.status === "waiting" || row.status === "running";
      refuseConflicts(row);
      if (row.error !== null) throw new AppError("conflict", { message: row.error });
      return { sync: presentForkSync(row), isOpen };
    },
    async history(repository, page) {
      const { rows, total } = await store.listSyncs(db, repository.id, page);
      return { items: rows.map(presentForkSync), total };
    },
    async setSchedule(actor, repository, wanted) {
      await upstreamOf(actor, repository);
      const { branch, enabled } = wanted;
      if (branch !== null && !/^[^\s]+$/.test(branch))
        throw invalidField("branch", "invalid", "This is no branch.");
      const timing = readTiming(wanted);
      await db.transaction(async (tx) => {
        const ownerId = userIdOf(actor);
        await putSchedule(tx, { ...timing, repositoryId: repository.id, branch, enabled, ownerId });
        const details = { branch, enabled, interval_minutes: timing.intervalMinutes, cron: timing.cron };
        await record(tx, { actor, repository }, { action: "fork_sync.schedule", details });
        await addForkScheduleIntent(tx, repository.id);
      });
      const shown = await showSchedule(repository);
      if (!shown) throw new AppError("not_found");
      return shown;
    },
    async removeSchedule(actor, repository) {
      await db.transaction(async (tx) => {
        if (!(await deleteSchedule(tx, repository.id))) throw new AppError("not_found");
        await record(tx, { actor, repository }, { action: "fork_sync.unschedule", details: {} });
        await addForkScheduleIntent(tx, repository.id);
      });
    },
    async again(repositoryId) {
      await db.transaction(async (tx) => {
        const id = newId("fsyn");
        if (await store.repeatNewest(tx, repositoryId, id))
          await addForkSyncIntent(tx, { repositoryId, syncId: id });
      });
    },
  };
}

/** Once it has ended, or as it is when that takes too long. */
async function outcomeOf(db: Database, id: string): Promise<store.ForkSyncRow> {
  const ended = createWakeUp();
  const stop = db.listen(endedChannel, ended.ring);
  const untilMs = performance.now() + patienceMs;
  try {
    for (;;) {
      const row = await store.findSync(db, id);
      if (!row) throw new AppError("not_found");
      const isOpen = row.status === "waiting" || row.status === "running";
      if (!isOpen || performance.now() >= untilMs) return row;
      await ended.wait(lookEveryMs);
    }
  } finally {
    stop();
  }
}

function refuseConflicts({
  status,
  conflicts,
}: Pick<store.ForkOutcome, "conflicts"> & { status: string }): void {
  if (status !== "conflict") return;
  throw new AppError("conflict", { message: conflictText({ conflicts }), extra: { conflicts } });
}

function asRefusal(error: unknown, { aborted }: AbortSignal): never {
  if (aborted) throw new AppError("unavailable", { message: "It takes too long to say. Name one branch." });
  if (error instanceof ForkProblem) throw new AppError("conflict", { message: error.message, cause: error });
  throw error;
}

async function record(
  tx: Transaction,
  { actor, repository }: { actor: Actor; repository: RepositoryRef },
  { action, details }: Pick<AuditEntry, "action" | "details">,
): Promise<void> {
  const name = `${repository.owner}/${repository.name}`;
  await recordAudit(tx, actor, {
    action,
    target: { type: "repository", id: repository.id, name },
    details: details ?? {},
  });
}
