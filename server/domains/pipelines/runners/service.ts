/**
 * Runners as people see them: registration, the list, changes, drain, removal. Every change is written to the audit
 * log with it, and reaches the runner's connection on whatever server it is.
 */
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import type {
  RegistrationTokenCreate,
  RunnerDrain,
  RunnerRegister,
  RunnerUpdate,
} from "@forgeline/schemas/runners/resource.ts";
import { foreignProcessLabel, processLabelRule } from "@forgeline/schemas/runners/executor.ts";
import type { AuditAction } from "@forgeline/schemas/audit/actions.ts";
import type { Database, Transaction } from "../../../platform/db/database.ts";
import { AppError, invalidField } from "../../../platform/app-error.ts";
import { newId } from "../../../platform/ids.ts";
import { recordAudit } from "../../operation/domain.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import { hasScope } from "../../../platform/access/requirement.ts";
import type { Authorizer } from "../../policy/domain.ts";
import { requireGroup } from "../runner-groups/require-group.ts";
import { hashCredential, newRegistrationToken, newRunnerCredential } from "./credential.ts";
import { createScopedPermission } from "./permission.ts";
import * as store from "./runners.store.ts";
import type { RegistrationTokenRow, RunnerChange, RunnerJobRow, RunnerRow } from "./runners.store.ts";
import { scopeIds, scopeName, type RunnerScope, type ScopeIds } from "./scope.ts";

export interface RunnerService {
  createRegistrationToken(
    actor: Actor,
    scope: RunnerScope,
    request: RegistrationTokenCreate,
  ): Promise<{ row: RegistrationTokenRow; token: string }>;
  /** Throws `unauthorized` when the token is unknown, used up or expired. */
  register(actor: Actor, request: RunnerRegister): Promise<{ id: string; name: string; credential: string }>;
  /** Those of exactly this scope; `null`: all runners. */
  list(scope: RunnerScope, page: PageQuery): Promise<{ rows: RunnerRow[]; total: number }>;
  /** These also throw `not_found` for callers who may not know of the runner. */
  get(actor: Actor, id: string): Promise<RunnerRow>;
  /** With the jobs that it has, as far as the caller's token may read runs: whoever may see a runner may see all repositories that it serves. */
  show(actor: Actor, id: string): Promise<{ row: RunnerRow; jobs: RunnerJobRow[] }>;
  update(actor: Actor, id: string, change: RunnerUpdate): Promise<RunnerRow>;
  drain(actor: Actor, id: string, request: RunnerDrain): Promise<RunnerRow>;
  /** Ends a pause as well. */
  resume(actor: Actor, id: string): Promise<RunnerRow>;
  remove(actor: Actor, id: string): Promise<void>;
}

interface RunnerRequest {
  action: AuditAction;
  change: Partial<RunnerChange>;
  /** Undefined: as it is; null: in none from now on. */
  groupId?: string | null | undefined;
}

const nothing = { name: null, paused: null, draining: null, labels: undefined, capacity: undefined };

export function createRunnerService(deps: { db: Database; authorizer: Authorizer }): RunnerService {
  const { db } = deps;

  const permitted = createScopedPermission(deps, (id) => store.findRunner(db, id));

  async function changed(actor: Actor, id: string, { action, change, groupId }: RunnerRequest) {
    const before = await permitted(actor, id);
    if (foreignProcessLabel(change.labels ?? [], before.executor))
      throw invalidField("labels", "not_allowed", processLabelRule);
    await db.transaction(async (tx) => {
      const group = await requestedGroup(tx, groupId, before);
      await store.changeRunner(tx, id, { ...nothing, ...change, group });
      const { withinMinutes, ...others } = change;
      const details = detailsOf({
        ...others,
        within_minutes: withinMinutes,
        group: group ? group.name : group,
      });
      await audit(tx, actor, { action, row: before, details });
      await tx.notify("runner", id);
    });
    return permitted(actor, id);
  }

  return {
    async createRegistrationToken(actor, scope, request) {
      if (actor.userId === null) throw new AppError("forbidden");
      const token = newRegistrationToken();
      const id = newId("reg");
      const { uses, expires_in_minutes: minutes } = request;
      const createdBy = actor.userId;
      const ids = scopeIds(scope);
      const row = await db.transaction(async (tx) => {
        const group = request.group === undefined ? null : await requireGroup(tx, request.group, ids);
        const made = {
          id,
          hash: hashCredential(token),
          ...ids,
          uses,
          minutes,
          createdBy,
          groupId: group?.id ?? null,
        };
        const inserted = await store.insertRegistrationToken(tx, made);
        await recordAudit(tx, actor, {
          action: "runner.token_create",
          target: { type: "runner_registration_token", id, name: scopeName(scope) },
          details: {
            ...namedIds(ids),
            ...namedGroup(group),
            uses,
            expires_at: inserted.expires_at.toISOString(),
          },
          ...ofOrganization(ids.organizationId),
        });
        return inserted;
      });
      return { row, token };
    },

    register: (actor, request) => register(db, actor, request),
    list: (scope, page) => store.findRunners(db, scopeIds(scope), page),
    get: permitted,
    async show(actor, id) {
      const row = await permitted(actor, id);
      const readsRuns = actor.repositoryIds === null && hasScope(actor, "pipeline:read");
      return { row, jobs: readsRuns ? await store.findJobs(db, id) : [] };
    },

    update(actor, id, change) {
      return changed(actor, id, {
        action: "runner.update",
        change: {
          name: change.name ?? null,
          paused: change.paused ?? null,
          labels: change.labels,
          capacity: change.capacity,
        },
        groupId: change.group,
      });
    },

    drain: (actor, id, { within_minutes: withinMinutes }) =>
      changed(actor, id, { action: "runner.drain", change: { draining: true, withinMinutes } }),

    resume: (actor, id) =>
      changed(actor, id, { action: "runner.resume", change: { draining: false, paused: false } }),

    async remove(actor, id) {
      const row = await permitted(actor, id);
      await db.transaction(async (tx) => {
        if (!(await store.revokeRunner(tx, id))) throw new AppError("not_found");
        await audit(tx, actor, { action: "runner.delete", row, details: {} });
        await tx.notify("runner", id);
      });
    },
  };
}

async function register(db: Database, actor: Actor, request: RunnerRegister) {
  const credential = newRunnerCredential();
  const id = newId("rnr");
  const { name, labels, one_job: oneJob } = request;
  const capacity = oneJob ? 1 : request.capacity;
  await db.transaction(async (tx) => {
    const token = await store.useRegistrationToken(tx, hashCredential(request.token));
    if (!token)
      throw new AppError("unauthorized", {
        message: "The registration token is unknown, already used, or expired; create a new one.",
      });
    const ids = idsOf(token);
    await store.insertRunner(tx, {
      id,
      name,
      ...ids,
      credentialHash: hashCredential(credential),
      labels,
      capacity,
      oneJob,
      groupId: token.group_id,
      createdBy: token.created_by,
    });
    const onBehalf: Actor = { ...actor, userId: token.created_by, username: token.username };
    await recordAudit(tx, onBehalf, {
      action: "runner.register",
      target: { type: "runner", id, name },
      details: { registration_token: token.id, ...namedIds(ids), labels, capacity, one_job: oneJob },
      ...ofOrganization(ids.organizationId),
    });
  });
  return { id, name, credential };
}

function audit(
  tx: Transaction,
  actor: Actor,
  { action, row, details }: { action: AuditAction; row: RunnerRow; details: Record<string, unknown> },
): Promise<void> {
  const target = { type: "runner", id: row.id, name: row.name } as const;
  return recordAudit(tx, actor, { action, target, details, ...ofOrganization(row.organization_id) });
}

/** In whose log it is; that of a repository's runner is found by the repository. */
function ofOrganization(organizationId: string | null): { organizationId?: string } {
  return organizationId === null ? {} : { organizationId };
}

/** As the audit log names them. */
function namedIds({ repositoryId, organizationId }: ScopeIds) {
  return { repository_id: repositoryId, organization_id: organizationId };
}

/** Undefined and null as they are. */
async function requestedGroup(tx: Transaction, id: string | null | undefined, runner: RunnerRow) {
  return typeof id === "string" ? requireGroup(tx, id, idsOf(runner)) : id;
}

function idsOf(row: { repository_id: string | null; organization_id: string | null }): ScopeIds {
  return { repositoryId: row.repository_id, organizationId: row.organization_id };
}

function namedGroup(group: { name: string } | null): { group?: string } {
  return group === null ? {} : { group: group.name };
}

function detailsOf(change: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
}
