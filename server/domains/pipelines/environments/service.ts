/** Environments for people: what is deployed where, protection, and going back to an earlier deployment. */
import { maxEnvironments } from "@forgeline/schemas/environments/names.ts";
import type {
  Deployment,
  DeploymentStatistics,
  Environment,
  EnvironmentProtection,
  EnvironmentPut,
} from "@forgeline/schemas/environments/resource.ts";
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import type { Pipeline } from "@forgeline/schemas/pipelines/resource.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import { AppError, invalidField } from "../../../platform/app-error.ts";
import type { Database, Queryable, Transaction } from "../../../platform/db/database.ts";
import { newId } from "../../../platform/ids.ts";
import { recordAudit, type AuditEntry } from "../../operation/domain.ts";
import type { RepositoryRef } from "../../policy/domain.ts";
import { lastDays } from "../run-statistics/period.ts";
import { tellWaiting } from "../approvals/tell-waiting.ts";
import { findDeployment, listDeployments } from "./deployments.store.ts";
import * as store from "./environments.store.ts";
import { sumDeployments } from "./figures.store.ts";
import { presentDeployment, presentEnvironment, presentFigures } from "./present.ts";
import { protectionOf, withDefaults } from "./protection.ts";

export interface EnvironmentDeps {
  db: Database;
  addresses: Addresses;
  /** Reruns a job of a run; the actor may. */
  rerun: (
    actor: Actor,
    repository: RepositoryRef,
    wanted: { id: string; from: string; debug: boolean },
  ) => Promise<Pipeline>;
}

export type EnvironmentService = ReturnType<typeof createEnvironmentService>;

export function createEnvironmentService({ db, addresses, rerun }: EnvironmentDeps) {
  return {
    /** By name. */
    async list(repository: RepositoryRef, page: PageQuery): Promise<{ items: Environment[]; total: number }> {
      const { rows, total } = await store.listEnvironments(db, repository.id, page);
      return { items: rows.map((row) => presentEnvironment(row, { addresses, repository })), total };
    },
    /** Throws `not_found`; so do the following. */
    async get(repository: RepositoryRef, name: string): Promise<Environment> {
      return presentEnvironment(await find(db, repository, name), { addresses, repository });
    },
    /** Creates it, or confirms it and replaces its protection. Throws `conflict` past the most, `validation_failed` for approvers that do not exist. */
    put: (actor: Actor, repository: RepositoryRef, wanted: { name: string } & EnvironmentPut) =>
      db.transaction(async (tx) => {
        const allowShell = wanted.allow_shell;
        const protection = withDefaults(wanted.protection);
        await refuseUnknown(tx, protection.approvers);
        const before = await findOrAdd(tx, repository, wanted.name);
        await store.updateProtection(tx, before.row.id, { protection, allowShell });
        const row = await find(tx, repository, wanted.name);
        await recordAudit(tx, actor, {
          action: before.existed ? "environment.update" : "environment.create",
          target: targetOf(repository),
          details: {
            environment: row.name,
            ...(before.existed ? { before: protectionOf(before.row) } : {}),
            ...(before.existed && before.row.confirmed_at === null ? { confirmed: true } : {}),
            protection,
            allow_shell: allowShell,
          },
        });
        return { environment: presentEnvironment(row, { addresses, repository }), existed: before.existed };
      }),
    /** Jobs that wait for it are told, and fail with a reason of their own. */
    remove: (actor: Actor, repository: RepositoryRef, name: string) =>
      db.transaction(async (tx) => {
        const { id, name: environment, ...row } = await find(tx, repository, name);
        await tellWaiting(tx, { repositoryId: repository.id, environmentId: id });
        await store.deleteEnvironment(tx, id);
        await recordAudit(tx, actor, {
          action: "environment.delete",
          target: targetOf(repository),
          details: { environment, protection: protectionOf(row) },
        });
      }),
    /** Newest first. */
    async deployments(
      repository: RepositoryRef,
      name: string,
      page: PageQuery,
    ): Promise<{ items: Deployment[]; total: number }> {
      const { id, name: environment } = await find(db, repository, name);
      const { rows, total } = await listDeployments(db, id, page);
      return {
        items: rows.map((row) => presentDeployment(row, { addresses, repository, environment })),
        total,
      };
    },
    /** Of the last days, today included. */
    async statistics(
      repository: RepositoryRef,
      { name, days }: { name: string; days: number },
    ): Promise<DeploymentStatistics> {
      const { id, name: environment } = await find(db, repository, name);
      const period = lastDays(days, Date.now());
      return presentFigures({ environment, period }, await sumDeployments(db, id, period.since));
    },
    /** Reruns the job of a deployment in its run. Throws `conflict` unless it succeeded, and while its run is open. */
    async rollBack(
      actor: Actor,
      repository: RepositoryRef,
      wanted: { name: string; deployment: string },
    ): Promise<Pipeline> {
      const { id, name: environment } = await find(db, repository, wanted.name);
      const deployment = await findDeployment(db, id, wanted.deployment);
      if (!deployment) throw new AppError("not_found");
      if (deployment.status !== "success") {
        const message = `Only what was deployed can be deployed again; this deployment is ${deployment.status}.`;
        throw new AppError("conflict", { message });
      }
      const run = await rerun(actor, repository, {
        id: deployment.pipeline_id,
        from: `job:${deployment.job_id}`,
        debug: false,
      });
      await db.transaction((tx) =>
        recordAudit(tx, actor, {
          action: "environment.rollback",
          target: targetOf(repository),
          details: { environment, deployment: deployment.id, pipeline: run.number, sha: run.sha },
        }),
      );
      return run;
    },
  };
}

async function find(db: Queryable, repository: RepositoryRef, name: string): Promise<store.EnvironmentRow> {
  const row = await store.findEnvironment(db, repository.id, name);
  if (!row) throw new AppError("not_found");
  return row;
}

async function findOrAdd(
  tx: Transaction,
  repository: RepositoryRef,
  name: string,
): Promise<{ row: store.EnvironmentRow; existed: boolean }> {
  await store.holdEnvironments(tx, repository.id);
  const there = await store.findEnvironment(tx, repository.id, name);
  if (there) return { row: there, existed: true };
  if ((await store.countEnvironments(tx, repository.id)) >= maxEnvironments)
    throw new AppError("conflict", {
      message: `A repository can have at most ${maxEnvironments} environments.`,
    });
  await store.insertEnvironment(tx, { id: newId("env"), repositoryId: repository.id, name });
  return { row: await find(tx, repository, name), existed: false };
}

async function refuseUnknown(tx: Transaction, approvers: EnvironmentProtection["approvers"]): Promise<void> {
  if (approvers.length === 0) return;
  const unknown = await store.unknownApprovers(tx, approvers);
  if (unknown.length === 0) return;
  const message = `There is no user or team ${unknown.join(", ")}.`;
  throw invalidField("protection.approvers", "unknown", message);
}

function targetOf({ id, owner, name }: RepositoryRef): AuditEntry["target"] {
  return { type: "repository", id, name: `${owner}/${name}` };
}
