/** How long a repository, or all of an organization, keep runs and what belongs to them. The shortest time of all levels holds. */
import {
  retainedKinds,
  type RetainedKind,
  type Retention,
  type RetentionDays,
} from "@forgeline/schemas/retention/resource.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import { AppError, invalidFields } from "../../../platform/app-error.ts";
import type { Database, Queryable } from "../../../platform/db/database.ts";
import { recordAudit, type AuditEntry } from "../../operation/domain.ts";
import type { OrganizationRef, RepositoryRef } from "../../policy/domain.ts";
import * as store from "./retention.store.ts";

export type RetentionOwner = { repository: RepositoryRef } | { organization: OrganizationRef };

export interface RetentionService {
  get(owner: RetentionOwner): Promise<Retention>;
  /** Replaces all of them; safe to repeat. Throws `validation_failed` for more than other levels allow. */
  set(actor: Actor, owner: RetentionOwner, wanted: RetentionDays): Promise<Retention>;
}

const nothing: RetentionDays = {
  runs_days: null,
  logs_days: null,
  artifacts_days: null,
  caches_days: null,
  reports_days: null,
};

/** `instance`: what the configuration says. */
export function createRetentionService({
  db,
  instance,
}: {
  db: Database;
  instance: RetentionDays;
}): RetentionService {
  async function read(from: Queryable, owner: RetentionOwner): Promise<Retention> {
    const row = await store.find(from, placeOf(owner));
    const { updated_at: updatedAt, ...own } = row ?? { ...nothing, updated_at: null };
    const above = await levelsAbove(from, owner);
    const effective = shortest([...above.map(({ days }) => days), own]);
    return { ...own, effective, updated_at: updatedAt?.toISOString() ?? null };
  }

  /** With how people call each. */
  async function levelsAbove(from: Queryable, owner: RetentionOwner) {
    const levels = [{ name: "the instance", days: instance }];
    if (!("repository" in owner)) return levels;
    const ofOwner = await store.findOfOwner(from, owner.repository.id);
    return ofOwner ? [...levels, { name: "the organization", days: ofOwner }] : levels;
  }

  return {
    get: (owner) => read(db, owner),
    set: (actor, owner, wanted) =>
      db.transaction(async (tx) => {
        const place = placeOf(owner);
        if (!(await store.hold(tx, place))) throw new AppError("not_found");
        refuseLonger(wanted, await levelsAbove(tx, owner));
        await store.put(tx, place, wanted);
        const target = targetOf(owner);
        await recordAudit(tx, actor, { action: "retention.set", target, details: { ...wanted } });
        return read(tx, owner);
      }),
  };
}

function refuseLonger(wanted: RetentionDays, above: readonly { name: string; days: RetentionDays }[]): void {
  const problems = retainedKinds.flatMap((kind) => {
    const days = wanted[fieldOf(kind)];
    const strict = above.find((level) => days !== null && days > (level.days[fieldOf(kind)] ?? Infinity));
    if (!strict) return [];
    const message = `At most ${strict.days[fieldOf(kind)]}: ${strict.name} keeps ${kind} no longer.`;
    return [{ field: fieldOf(kind), code: "too_large", message }];
  });
  if (problems.length > 0) throw invalidFields(problems);
}

function fieldOf(kind: RetainedKind): keyof RetentionDays {
  return `${kind}_days`;
}

/** Of each kind; null where none says anything. */
function shortest(levels: readonly RetentionDays[]): RetentionDays {
  const of = (kind: RetainedKind) => {
    const days = Math.min(...levels.map((level) => level[fieldOf(kind)] ?? Infinity));
    return Number.isFinite(days) ? days : null;
  };
  return Object.fromEntries(
    retainedKinds.map((kind) => [fieldOf(kind), of(kind)]),
  ) as unknown as RetentionDays;
}

function placeOf(owner: RetentionOwner): store.RetentionPlace {
  if ("repository" in owner) return { repositoryId: owner.repository.id, organizationId: null };
  return { repositoryId: null, organizationId: owner.organization.id };
}

function targetOf(owner: RetentionOwner): AuditEntry["target"] {
  if ("organization" in owner)
    return { type: "organization", id: owner.organization.id, name: owner.organization.name };
  const { id, owner: ownerName, name } = owner.repository;
  return { type: "repository", id, name: `${ownerName}/${name}` };
}
