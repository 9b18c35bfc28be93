/**
 * Maintenance of repositories: requests, which ones are due, and the work itself, which a worker does.
 * `docs/architecture/git.md` describes what is done when.
 */
import type { Registry } from "prom-client";
import { createCounter, createGauge } from "../../../platform/declared-metrics.ts";
import type { Database, Queryable } from "../../../platform/db/database.ts";
import { checkRepository } from "../../../platform/git/storage/check-repository.ts";
import { maintainRepository } from "../../../platform/git/storage/maintain-repository.ts";
import type { RunGit } from "../../../platform/git/processes/run-git.ts";
import type { RepositoryStorage } from "../../../platform/git/storage/storage.ts";
import { AppError } from "../../../platform/app-error.ts";
import type { Logger } from "../../../platform/logger.ts";
import { recordAudit } from "../../operation/domain.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import type { RepositoryRef } from "../../policy/domain.ts";
import type { ListMaintenanceQuery } from "@forgeline/schemas/maintenance/routes.ts";
import type { MaintenanceRequest } from "@forgeline/schemas/maintenance/resource.ts";
import type { PushService } from "../../hosting/domain.ts";
import { whilePushesBlocked } from "./block-pushes.ts";
import * as store from "./maintenance.store.ts";
import type { MaintenanceRow } from "./maintenance.store.ts";

export interface MaintenanceService {
  get(repository: RepositoryRef): Promise<MaintenanceRow>;
  list(query: ListMaintenanceQuery): Promise<{ rows: MaintenanceRow[]; total: number }>;
  /** Records the request and, if Temporal answers, starts a round at once. */
  request(actor: Actor, repository: RepositoryRef, wish: MaintenanceRequest): Promise<MaintenanceRow>;
  /** Ids of repositories that are due, at most `limit`. */
  findDue(limit: number): Promise<string[]>;
  /**
   * Maintains one repository, and records the result; may run again after a crash. Errors of Git are recorded and do not throw;
   * the signal's reason does. Does nothing for a deleted repository.
   */
  maintain(repositoryId: string, signal: AbortSignal): Promise<void>;
  /** Records a failure, so that the next repositories get their turn. */
  giveUp(repositoryId: string, problem: string): Promise<void>;
  /** Shows the repository as damaged until a later check finds it whole, which is not before a week is over. */
  reportDamage(repositoryId: string, damage: readonly string[]): Promise<void>;
}

export interface MaintenanceDeps {
  db: Database;
  storage: RepositoryStorage;
  runGit: RunGit;
  pushes: Pick<PushService, "removeLocks">;
  logger: Logger;
  registry: Registry;
  /** Requests a new measurement of the repository's size. */
  measure(db: Queryable, repositoryId: string): Promise<void>;
  /** Lets go of refs of ours that would keep what was removed. Safe to repeat. */
  beforePrune(repositoryId: string): Promise<void>;
  /** Starts a round now. May fail, because the next one starts by itself. */
  beginRound(): Promise<void>;
}

export function createMaintenanceService(deps: MaintenanceDeps): MaintenanceService {
  const { db, logger } = deps;
  const finished = observe(deps);

  /** A damaged repository is left as it is: a repack could lose what can still be read. */
  async function work(repositoryId: string, begun: store.BegunMaintenance, signal: AbortSignal) {
    const directory = deps.storage.directory(repositoryId);
    const damage = begun.check_is_due ? await checkRepository(deps.runGit, directory, signal) : null;
    if (damage && damage.length > 0) {
      logger.error({ repository_id: repositoryId, damage }, "a repository is damaged");
      return { damage, outcome: null };
    }
    const removeRefLocks = (refs: readonly string[]) => deps.pushes.removeLocks(repositoryId, refs);
    const due = { everythingIsDue: begun.everything_is_due, prune: begun.prune };
    const wish = { ...due, signal, removeRefLocks };
    const tidy = async () => {
      if (begun.prune) await deps.beforePrune(repositoryId);
      return maintainRepository(deps.runGit, directory, wish);
    };
    return {
      damage,
      outcome: begun.prune ? await whilePushesBlocked(db, { repositoryId, signal }, tidy) : await tidy(),
    };
  }

  return {
    async get(repository) {
      const row = await store.findMaintenance(db, repository.id);
      if (!row) throw new AppError("not_found");
      return row;
    },
    list: (query) => store.listMaintenance(db, query),
    async request(actor, repository, { prune }) {
      const row = await db.transaction(async (tx) => {
        await store.insertRequest(tx, repository.id, prune);
        await recordAudit(tx, actor, {
          action: "repo.maintenance_request",
          target: { type: "repository", id: repository.id, name: `${repository.owner}/${repository.name}` },
          details: { prune },
        });
        return store.findMaintenance(tx, repository.id);
      });
      if (!row) throw new AppError("not_found");
      await deps
        .beginRound()
        .catch((error: Error) =>
          logger.info({ error: error.message }, "maintenance waits for its next round"),
        );
      return row;
    },
    findDue: (limit) => store.findDue(db, limit),
    async maintain(repositoryId, signal) {
      const begun = await store.beginMaintenance(db, repositoryId);
      if (!begun) return;
      const end = { repositoryId, requestedAt: begun.requested_at };
      try {
        const { outcome, damage } = await work(repositoryId, begun, signal);
        await store.endMaintenance(db, {
          ...end,
          problem: null,
          damage,
          counts: outcome,
          repackedAll: outcome?.repack === "everything",
          pruned: begun.prune && outcome !== null,
        });
        if (outcome) await deps.measure(db, repositoryId);
        finished.inc({ outcome: outcome ? "done" : "damaged", repack: outcome?.repack ?? "none" });
      } catch (error) {
        signal.throwIfAborted();
        const problem = (error as Error).message;
        logger.warn({ repository_id: repositoryId, error: problem }, "could not maintain a repository");
        await store.endMaintenance(db, { ...end, ...nothingDone, problem });
        finished.inc({ outcome: "failed", repack: "none" });
      }
    },
    giveUp: (repositoryId, problem) => store.recordGivenUp(db, repositoryId, problem),
    reportDamage: (repositoryId, damage) => store.recordDamage(db, repositoryId, damage),
  };
}

const nothingDone = { damage: null, counts: null, repackedAll: false, pruned: false };

function observe({ db, registry }: MaintenanceDeps) {
  createGauge(registry, "forgeline_repositories_damaged", async (gauge) => {
    await store.countDamaged(db).then(
      (count) => gauge.set(count),
      () => gauge.reset(),
    );
  });
  return createCounter(registry, "forgeline_maintenance_total");
}
