/** Rows of `retention_rules`, one of each repository and organization that has set any, and what comes of them. */
import type { RetentionDays } from "@forgeline/schemas/retention/resource.ts";
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import type { RetentionRows } from "./retention.rows.ts";

export interface RetentionPlace {
  organizationId: string | null;
  repositoryId: string | null;
}

const days = "runs_days, logs_days, artifacts_days, caches_days, reports_days";
const listedAtOnce = 200;

export const statements = defineStatements<RetentionRows>({
  find: `select ${days}, updated_at from retention_rules where organization_id = $1 or repository_id = $2`,
  findOfOwner: `
    select o.runs_days, o.logs_days, o.artifacts_days, o.caches_days, o.reports_days
    from repositories r join retention_rules o on o.organization_id = r.owner_id where r.id = $1`,
  holdRepository: "select id from repositories where id = $1 and deleted_at is null for no key update",
  holdOrganization: "select id from owners where id = $1 for no key update",
  remove: "delete from retention_rules where organization_id = $1 or repository_id = $2",
  insert: `
    insert into retention_rules (organization_id, repository_id, ${days}) values ($1, $2, $3, $4, $5, $6, $7)`,
  listRuled: `
    select x.id, x.runs_days, x.logs_days from (
      select r.id, least($1::int, d.runs_days) as runs_days, least($2::int, d.logs_days) as logs_days
      from repositories r join retention_days d on d.repository_id = r.id where r.deleted_at is null and r.id > $3
    ) x where x.runs_days is not null or x.logs_days is not null order by x.id limit ${listedAtOnce}`,
});

export type RetentionRow = RowOf<typeof statements.find>;

const placeValues = ({ organizationId, repositoryId }: RetentionPlace) => [organizationId, repositoryId];

/** Undefined where nothing was set. */
export function find(db: Queryable, place: RetentionPlace): Promise<RetentionRow | undefined> {
  return db.one(statements.find, placeValues(place));
}

/** What the organization of a repository has set; undefined where it has none, or belongs to a user. */
export function findOfOwner(db: Queryable, repositoryId: string): Promise<RetentionDays | undefined> {
  return db.one(statements.findOfOwner, [repositoryId]);
}

/** Until the transaction ends, so that two changes follow each other; false where it is gone. */
export async function hold(
  tx: Transaction,
  { organizationId, repositoryId }: RetentionPlace,
): Promise<boolean> {
  const held =
    repositoryId === null
      ? await tx.one(statements.holdOrganization, [organizationId])
      : await tx.one(statements.holdRepository, [repositoryId]);
  return held !== undefined;
}

/** The place is held. */
export async function put(tx: Transaction, place: RetentionPlace, wanted: RetentionDays): Promise<void> {
  const { runs_days: runs, logs_days: logs, artifacts_days: artifacts } = wanted;
  await tx.query(statements.remove, placeValues(place));
  const values = [runs, logs, artifacts, wanted.caches_days, wanted.reports_days];
  await tx.query(statements.insert, [...placeValues(place), ...values]);
}

/** Some repositories, by id, whose runs or logs are not kept for ever, with what holds for them. */
export function listRuled(
  db: Queryable,
  { runs_days: runs, logs_days: logs }: Pick<RetentionDays, "runs_days" | "logs_days">,
  after: string,
) {
  return db.query(statements.listRuled, [runs, logs, after]);
}
