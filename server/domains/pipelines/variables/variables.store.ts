/** Rows of `shared_variables`. */
import { countRows } from "../../../platform/db/count-rows.ts";
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { offsetOf } from "../../../platform/db/page.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import type { VariablePlace } from "./place.ts";
import type { VariablesRows } from "./variables.rows.ts";

export type VariableRow = RowOf<typeof statements.listVariables>;

// All but one are null, or all: `is not distinct from` would use no index.
const isHere = `v.level = $1 and ($1 = 'instance' or v.organization_id = $2 or v.repository_id = $3 or v.environment_id = $4)`;
const columns = "v.name, v.value, v.level, u.username as changed_by, v.created_at, v.updated_at";
const fromHere = `from shared_variables v left join users u on u.id = v.changed_by where ${isHere}`;

export const statements = defineStatements<VariablesRows>({
  listVariables: `select ${columns} ${fromHere} order by v.name limit $5 offset $6`,
  findVariable: `select ${columns} ${fromHere} and v.name = $5`,
  holdRepository: "select id from repositories where id = $1 and deleted_at is null for no key update",
  holdOrganization: "select id from owners where id = $1 for no key update",
  holdEnvironment: `
    select e.id from environments e join repositories r on r.id = e.repository_id
    where e.id = $1 and r.deleted_at is null for no key update of e, r`,
  lockInstance: "select pg_advisory_xact_lock(hashtext('variables'))",
  sumOthers: `
    select count(*)::int as count, coalesce(sum(octet_length(v.name) + octet_length(v.value) + 2), 0)::float8 as bytes
    from shared_variables v where ${isHere} and v.name <> $5`,
  sumOfEnvironments: `
    select coalesce(sum(octet_length(v.name) + octet_length(v.value) + 2), 0)::float8 as bytes
    from environments e join environments o on o.repository_id = e.repository_id join shared_variables v on v.environment_id = o.id
    where e.id = $1 and not (o.id = $1 and v.name = $2)`,
  updateVariable: `
    update shared_variables v set value = $6, changed_by = $7, updated_at = now() where ${isHere} and v.name = $5 returning v.id`,
  insertVariable: `
    insert into shared_variables (level, organization_id, repository_id, environment_id, name, value, changed_by)
    values ($1, $2, $3, $4, $5, $6, $7)`,
  deleteVariable: `delete from shared_variables v where ${isHere} and v.name = $5 returning v.id`,
  variablesOfRuns: `
    select v.level, v.name, v.value, lower(e.name) as environment from shared_variables v
    left join environments e on e.id = v.environment_id
    where v.level = 'instance' or v.repository_id = $1
      or v.organization_id = (select r.owner_id from repositories r where r.id = $1)
      or v.environment_id in (select e.id from environments e where e.repository_id = $1)
    order by v.name`,
});

const valuesOf = ({ level, organizationId, repositoryId, environmentId }: VariablePlace) => [
  level,
  organizationId,
  repositoryId,
  environmentId,
];

/** By name. */
export async function listVariables(
  db: Queryable,
  place: VariablePlace,
  page: { page: number; per_page: number },
): Promise<{ rows: VariableRow[]; total: number }> {
  const [rows, total] = await Promise.all([
    db.query(statements.listVariables, [...valuesOf(place), page.per_page, offsetOf(page)]),
    countRows(db, fromHere, valuesOf(place)),
  ]);
  return { rows, total };
}

export function findVariable(
  db: Queryable,
  place: VariablePlace,
  name: string,
): Promise<VariableRow | undefined> {
  return db.one(statements.findVariable, [...valuesOf(place), name]);
}

/** Until the transaction ends, so that nobody passes the bounds; false where the owner is gone. */
export async function holdOwner(tx: Transaction, place: VariablePlace): Promise<boolean> {
  if (place.environmentId !== null)
    return (await tx.one(statements.holdEnvironment, [place.environmentId])) !== undefined;
  if (place.repositoryId !== null)
    return (await tx.one(statements.holdRepository, [place.repositoryId])) !== undefined;
  if (place.organizationId !== null)
    return (await tx.one(statements.holdOrganization, [place.organizationId])) !== undefined;
  await tx.query(statements.lockInstance);
  return true;
}

/** How many there are beside the one of this name, and the bytes of their names and values. */
export async function sumOthers(
  tx: Transaction,
  place: VariablePlace,
  name: string,
): Promise<{ count: number; bytes: number }> {
  return (await tx.one(statements.sumOthers, [...valuesOf(place), name])) ?? { count: 0, bytes: 0 };
}

/** Bytes of the variables of all environments beside this one, as above. The environment is held, and with it the repository. */
export async function sumOfEnvironments(
  tx: Transaction,
  environmentId: string,
  name: string,
): Promise<number> {
  return (await tx.one(statements.sumOfEnvironments, [environmentId, name]))?.bytes ?? 0;
}

/** Adds or replaces it; whether it is new. The owner is held. */
export async function putVariable(
  tx: Transaction,
  place: VariablePlace,
  { name, value, changedBy }: { name: string; value: string; changedBy: string | null },
): Promise<boolean> {
  const values = [...valuesOf(place), name, value, changedBy];
  if (await tx.one(statements.updateVariable, values)) return false;
  await tx.query(statements.insertVariable, values);
  return true;
}

/** False if there is none. */
export async function deleteVariable(tx: Transaction, place: VariablePlace, name: string): Promise<boolean> {
  return (await tx.one(statements.deleteVariable, [...valuesOf(place), name])) !== undefined;
}

/** Those of every level that runs of the repository have, by name. */
export function variablesOfRuns(
  db: Queryable,
  repositoryId: string,
): Promise<VariablesRows["variablesOfRuns"][]> {
  return db.query(statements.variablesOfRuns, [repositoryId]);
}
