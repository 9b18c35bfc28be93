/**
 * Runners as people see them: registration, the list, changes, drain, removal. Every change is written to the audit
 * log with it, and reaches the runner's connection on whatever server it is.
 */
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import type {
  RegistrationTokenCreate,
  RunnerRegister,
  RunnerUpdate,
} from "@forgeline/schemas/runners/resource.ts";
import type { AuditAction } from "@forgeline/schemas/audit/actions.ts";
import type { Database, Transaction } from "../../../platform/db/database.ts";
import { AppError } from "../../../platform/app-error.ts";
import { newId } from "../../../platform/ids.ts";
import { recordAudit } from "../../operation/domain.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import type { Authorizer, RepositoryRef } from "../../policy/domain.ts";
import { hashCredential, newRegistrationToken, newRunnerCredential } from "./credential.ts";
import { matchLabels } from "./labels.ts";
import * as store from "./runners.store.ts";
import type { RegistrationTokenRow, RunnerChange, RunnerRow } from "./runners.store.ts";

export interface RunnerService {
  /** `repository` null: for runners of the instance. */
  createRegistrationToken(
    actor: Actor,
    repository: RepositoryRef | null,
    request: RegistrationTokenCreate,
  ): Promise<{ row: RegistrationTokenRow; token: string }>;
  /** Throws `unauthorized` when the token is unknown, used up or expired. */
  register(actor: Actor, request: RunnerRegister): Promise<{ id: string; name: string; credential: string }>;
  /** `repositoryId` null: all runners. */
  list(repositoryId: string | null, page: PageQuery): Promise<{ rows: RunnerRow[]; total: number }>;
  /** These also throw `not_found` for callers who may not know of the runner. */
  get(actor: Actor, id: string): Promise<RunnerRow>;
  update(actor: Actor, id: string, change: RunnerUpdate): Promise<RunnerRow>;
  /** `resume` also ends a pause. */
  setDraining(actor: Actor, id: string, draining: boolean): Promise<RunnerRow>;
  remove(actor: Actor, id: string): Promise<void>;
}

export function createRunnerService(deps: { db: Database; authorizer: Authorizer }): RunnerService {
  const { db } = deps;

  async function permitted(actor: Actor, id: string): Promise<RunnerRow> {
    const row = await store.findRunner(db, id);
    const ofRepository =
      row?.owner && row.repository ? { owner: row.owner, name: row.repository } : undefined;
    if (actor.isAdmin && !ofRepository) {
      deps.authorizer.authorize(actor, { access: "instance_admin", scope: "org:admin" });
      if (!row) throw new AppError("not_found");
      return row;
    }
    // Absent runners and the instance's own are checked like a hidden repository, so that the answers do not differ. Runners of
    // an archived repository can still be paused and removed: they are machines, not content.
    const requirement = { access: "repo_admin", scope: "repo:admin", archived: "allowed" } as const;
    await deps.authorizer.authorizeRepository(actor, requirement, ofRepository ?? { owner: "-", name: "-" });
    if (!row || !ofRepository) throw new AppError("not_found");
    return row;
  }

  async function changed(
    actor: Actor,
    id: string,
    { action, change }: { action: AuditAction; change: Partial<RunnerChange> },
  ) {
    const before = await permitted(actor, id);
    await db.transaction(async (tx) => {
      const nothing = { name: null, paused: null, draining: null, labels: undefined, capacity: undefined };
      await store.changeRunner(tx, id, { ...nothing, ...change });
      await audit(tx, actor, { action, row: before, details: detailsOf(change) });
      await tx.notify("runner", id);
    });
    return permitted(actor, id);
  }

  return {
    async createRegistrationToken(actor, repository, request) {
      if (actor.userId === null) throw new AppError("forbidden");
      const token = newRegistrationToken();
      const id = newId("reg");
      const { uses, expires_in_minutes: minutes } = request;
      const createdBy = actor.userId;
      const repositoryId = repository?.id ?? null;
      const row = await db.transaction(async (tx) => {
        const made = { id, hash: hashCredential(token), repositoryId, uses, minutes, createdBy };
        const inserted = await store.insertRegistrationToken(tx, made);
        await recordAudit(tx, actor, {
          action: "runner.token_create",
          target: { type: "runner_registration_token", id, name: repository?.name ?? "instance" },
          details: { repository_id: repositoryId, uses, expires_at: inserted.expires_at.toISOString() },
        });
        return inserted;
      });
      return { row, token };
    },

    register: (actor, request) => register(db, actor, request),
    list: (repositoryId, page) => store.findRunners(db, repositoryId, page),
    get: permitted,

    update(actor, id, change) {
      const labels = change.labels && { set: change.labels, match: matchLabels(change.labels) };
      return changed(actor, id, {
        action: "runner.update",
        change: {
          name: change.name ?? null,
          paused: change.paused ?? null,
          labels,
          capacity: change.capacity,
        },
      });
    },

    setDraining(actor, id, draining) {
      const change = draining ? { draining } : { draining, paused: false };
      return changed(actor, id, { action: draining ? "runner.drain" : "runner.resume", change });
    },

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
  const { name, labels, capacity } = request;
  await db.transaction(async (tx) => {
    const token = await store.useRegistrationToken(tx, hashCredential(request.token));
    if (!token)
      throw new AppError("unauthorized", {
        message: "The registration token is unknown, already used, or expired; create a new one.",
      });
    await store.insertRunner(tx, {
      id,
      name,
      repositoryId: token.repository_id,
      credentialHash: hashCredential(credential),
      labels,
      matchLabels: matchLabels(labels),
      capacity,
      createdBy: token.created_by,
    });
    const onBehalf: Actor = { ...actor, userId: token.created_by, username: token.username };
    await recordAudit(tx, onBehalf, {
      action: "runner.register",
      target: { type: "runner", id, name },
      details: { registration_token: token.id, repository_id: token.repository_id, labels, capacity },
    });
  });
  return { id, name, credential };
}

function audit(
  tx: Transaction,
  actor: Actor,
  { action, row, details }: { action: AuditAction; row: RunnerRow; details: Record<string, unknown> },
): Promise<void> {
  return recordAudit(tx, actor, { action, target: { type: "runner", id: row.id, name: row.name }, details });
}

function detailsOf(change: Partial<RunnerChange>): Record<string, unknown> {
  const said = { ...change, labels: change.labels ? change.labels.set : change.labels };
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
}
