/** Rows of `pipeline_limits`: what administrators have set for the instance (no organization) and for organizations. */
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import type { PipelineLimitsRows } from "./pipeline-limits.rows.ts";

export const statements = defineStatements<PipelineLimitsRows>({
  ofRepository: `
    select l.name, l.value, l.organization_id is not null as "ofOrganization" from pipeline_limits l
    where l.organization_id is null or l.organization_id = (select r.owner_id from repositories r where r.id = $1)`,
  ofOrganization: `
    select name, value, organization_id is not null as "ofOrganization" from pipeline_limits
    where organization_id is null or organization_id = $1`,
  findOrganization: "select id, name from owners where lower(name) = lower($1) and kind = 'org'",
  hold: "lock table pipeline_limits in share row exclusive mode",
  remove: "delete from pipeline_limits where organization_id is not distinct from $1",
  insert: `
    insert into pipeline_limits (organization_id, name, value)
    select $1, wanted.name, wanted.value from unnest($2::text[], $3::int[]) as wanted (name, value)`,
});

export type SetLimitRow = RowOf<typeof statements.ofRepository>;

/** Those of its organization and of the instance. */
export function ofRepository(db: Queryable, repositoryId: string): Promise<SetLimitRow[]> {
  return db.query(statements.ofRepository, [repositoryId]);
}

/** With those of the instance; null: those of the instance alone. */
export function ofOrganization(db: Queryable, organizationId: string | null): Promise<SetLimitRow[]> {
  return db.query(statements.ofOrganization, [organizationId]);
}

/** Names are compared without case. */
export function findOrganization(db: Queryable, name: string) {
  return db.one(statements.findOrganization, [name]);
}

/** Until the transaction ends, so that two changes follow each other. Reading goes on. */
export async function hold(tx: Transaction): Promise<void> {
  await tx.query(statements.hold, []);
}

/** Replaces all of the organization, or (null) of the instance. They are held. */
export async function put(
  tx: Transaction,
  organizationId: string | null,
  limits: readonly (readonly [name: string, value: number])[],
): Promise<void> {
  await tx.query(statements.remove, [organizationId]);
  const names = limits.map(([name]) => name);
  await tx.query(statements.insert, [organizationId, names, limits.map(([, value]) => value)]);
}
