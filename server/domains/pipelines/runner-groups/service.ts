/**
 * Groups of runners as people see them. Every change is written to the audit log with it. What changes whose jobs the runners take
 * reaches every server at once; the claim statement reads the rows by itself, so none acts on an older rule.
 */
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import {
  maxRunnerGroups,
  type RunnerGroup,
  type RunnerGroupAccess,
  type RunnerGroupCreate,
  type RunnerGroupUpdate,
} from "@forgeline/schemas/runner-groups/resource.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import { AppError } from "../../../platform/app-error.ts";
import type { Database, Transaction } from "../../../platform/db/database.ts";
import { newId } from "../../../platform/ids.ts";
import { recordAudit, type AuditEntry } from "../../operation/domain.ts";
import type { Authorizer, OrganizationRef } from "../../policy/domain.ts";
import { createScopedPermission } from "../runners/permission.ts";
import { findAccess } from "./find-access.ts";
import { presentRunnerGroup } from "./present.ts";
import * as store from "./runner-groups.store.ts";
import type { RunnerGroupRow } from "./runner-groups.store.ts";

export interface RunnerGroupService {
  /** By name. Null: of the instance. */
  list(place: OrganizationRef | null, page: PageQuery): Promise<{ items: RunnerGroup[]; total: number }>;
  /** Throws `conflict` past the limit and for a name that is taken, `validation_failed` for unknown names. */
  create(actor: Actor, place: OrganizationRef | null, request: RunnerGroupCreate): Promise<RunnerGroup>;
  /** These also throw `not_found` for callers who may not know of the group. */
  get(actor: Actor, id: string): Promise<RunnerGroup>;
  update(actor: Actor, id: string, change: RunnerGroupUpdate): Promise<RunnerGroup>;
  /** Throws `validation_failed` for unknown names. */
  setAccess(actor: Actor, id: string, access: RunnerGroupAccess): Promise<RunnerGroup>;
  /** Throws `conflict` if it has runners. */
  remove(actor: Actor, id: string): Promise<void>;
  /** It has another owner now, who was not chosen. */
  forgetRepository(tx: Transaction, repositoryId: string): Promise<void>;
}

export interface RunnerGroupDeps {
  db: Database;
  authorizer: Authorizer;
  addresses: { baseUrl: string; webUrl: string };
}

export function createRunnerGroupService(deps: RunnerGroupDeps): RunnerGroupService {
  const { db, addresses } = deps;
  const permitted = createScopedPermission(deps, (id) => store.findGroup(db, id));

  async function shown(tx: Transaction, id: string): Promise<RunnerGroup> {
    const row = await store.findGroup(tx, id);
    if (!row) throw new AppError("not_found");
    return presentRunnerGroup(row, addresses);
  }

  return {
    async list(place, page) {
      const { rows, total } = await store.listGroups(db, place?.id ?? null, page);
      return { items: rows.map((row) => presentRunnerGroup(row, addresses)), total };
    },
    create: (actor, place, request) =>
      db.transaction(async (tx) => {
        const group = { id: newId("rgrp"), organizationId: place?.id ?? null, name: request.name };
        await requireRoom(tx, group);
        const found = await findAccess(tx, group.organizationId, request);
        await store.insertGroup(tx, { ...group, description: request.description });
        await store.putAccess(tx, group.id, found);
        await record(tx, actor, { action: "runner_group.create", group, details: accessDetails(request) });
        return shown(tx, group.id);
      }),
    async get(actor, id) {
      return presentRunnerGroup(await permitted(actor, id), addresses);
    },
    async update(actor, id, change) {
      const row = await permitted(actor, id);
      return db.transaction(async (tx) => {
        const group = { id, organizationId: row.organization_id, name: change.name ?? row.name };
        await requireFreeName(tx, group);
        await store.changeGroup(tx, id, change);
        await record(tx, actor, {
          action: "runner_group.update",
          group: nameOf(row),
          details: { ...change },
        });
        // Its runners have another label now.
        await tx.notify("runner", "");
        return shown(tx, id);
      });
    },
    async setAccess(actor, id, access) {
      const row = await permitted(actor, id);
      return db.transaction(async (tx) => {
        await store.lockGroup(tx, id);
        await store.putAccess(tx, id, await findAccess(tx, row.organization_id, access));
        await record(tx, actor, {
          action: "runner_group.access",
          group: nameOf(row),
          details: accessDetails(access),
        });
        await tx.notify("runner", "");
        return shown(tx, id);
      });
    },
    async remove(actor, id) {
      const row = await permitted(actor, id);
      await db.transaction(async (tx) => {
        await store.lockGroup(tx, id);
        if (await store.hasRunners(tx, id)) throw new AppError("conflict", { message: hasRunners });
        await store.deleteGroup(tx, id);
        await record(tx, actor, { action: "runner_group.delete", group: nameOf(row), details: {} });
      });
    },
    forgetRepository: (tx, repositoryId) => store.forgetRepository(tx, repositoryId),
  };
}

/** Otherwise its runners would suddenly serve everybody. */
const hasRunners =
  "The group has runners. Move them to another group, or remove them, so that none serves whom it did not serve before.";

interface Group {
  id: string;
  organizationId: string | null;
  name: string;
}

function nameOf({ id, organization_id: organizationId, name }: RunnerGroupRow): Group {
  return { id, organizationId, name };
}

async function requireRoom(tx: Transaction, group: Group): Promise<void> {
  await requireFreeName(tx, group);
  if ((await store.countGroups(tx, group.organizationId)) >= maxRunnerGroups)
    throw new AppError("conflict", {
      message: `There can be at most ${maxRunnerGroups} groups of runners here. Delete one that nobody needs.`,
    });
}

async function requireFreeName(tx: Transaction, group: Group): Promise<void> {
  await store.holdPlace(tx, group.organizationId);
  if (await store.isTaken(tx, group))
    throw new AppError("conflict", {
      message: `There is already a group of runners with the name ${group.name}.`,
    });
}

function accessDetails({ access, owners, repositories }: RunnerGroupAccess): Record<string, unknown> {
  return access === "all" ? { access } : { access, owners, repositories };
}

async function record(
  tx: Transaction,
  actor: Actor,
  {
    action,
    group,
    details,
  }: { action: AuditEntry["action"]; group: Group; details: Record<string, unknown> },
): Promise<void> {
  const { id, organizationId, name } = group;
  await recordAudit(tx, actor, {
    action,
    target: { type: "runner_group", id, name },
    details,
    ...(organizationId === null ? {} : { organizationId }),
  });
}
