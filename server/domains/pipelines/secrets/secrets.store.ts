/** Secrets and their values as their owners set them. */
import { countRows } from "../../../platform/db/count-rows.ts";
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import type { PipelineEventName } from "@forgeline/schemas/pipeline-file/event.ts";
import type { Database, Transaction } from "../../../platform/db/database.ts";
import { offsetOf } from "../../../platform/db/page.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import type { SecretLimits } from "./judge-secret.ts";
import type { SecretsRows } from "./secrets.rows.ts";

export type SecretRecord = RowOf<typeof statements.listSecrets>;
export type SecretUseRow = RowOf<typeof statements.listUses>;

/** All null: the instance. */
export interface SecretPlace {
  repositoryId: string | null;
  organizationId: string | null;
  environmentId: string | null;
}

const fromPlace =
  "from secrets s where coalesce(s.environment_id, s.repository_id, s.organization_id, '') = $1";
const columns = `s.id, s.name, s.branches, s.tags, s.event_names, s.stage_globs, s.images, s.environments, s.repositories, s.last_used_at, s.created_at,
  s.updated_at,
  (select u.username from users u where u.id = s.updated_by) as updated_by`;
const fromUses = `from secrets s join secret_uses x on x.parent_id = s.id
  where coalesce(s.environment_id, s.repository_id, s.organization_id, '') = $1 and s.name = $2`;

interface Known {
  /** The contract accepts no other words. */
  listSecrets: { event_names: PipelineEventName[] };
  /** As above; ids are never null. */
  putSecret: { event_names: PipelineEventName[]; existed: boolean };
}

export const statements = defineStatements<SecretsRows, Known>({
  listSecrets: `select ${columns} ${fromPlace} order by s.name limit $2 offset $3`,
  findSecret: `select s.id ${fromPlace} and s.name = $2`,
  holdRepository: "select id from repositories where id = $1 and deleted_at is null for no key update",
  holdOrganization: "select id from owners where id = $1 for no key update",
  holdEnvironment: `
    select e.id from environments e join repositories r on r.id = e.repository_id
    where e.id = $1 and r.deleted_at is null for no key update of e`,
  holdInstance: "select pg_advisory_xact_lock(hashtext('secrets'))",
  countSecrets: `select count(*)::int as count ${fromPlace}`,
  putSecret: `
    insert into secrets as s (id, repository_id, organization_id, name, branches, tags, event_names, stage_globs, images, updated_by,
      environment_id, environments, repositories)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
    on conflict (coalesce(environment_id, repository_id, organization_id, ''), name) do update set branches = excluded.branches,
      tags = excluded.tags, event_names = excluded.event_names, stage_globs = excluded.stage_globs, images = excluded.images,
      environments = excluded.environments, repositories = excluded.repositories, updated_by = excluded.updated_by, updated_at = now()
    returning ${columns}, s.id <> $1 as existed`,
  retireValues: "update secret_values set is_current = false where parent_id = $1 and is_current",
  insertValue: "insert into secret_values (id, parent_id, sealed_value, size_bytes) values ($1, $2, $3, $4)",
  deleteSecret: `delete from secrets s where coalesce(s.environment_id, s.repository_id, s.organization_id, '') = $1 and s.name = $2 returning s.id`,
  // Those of secrets that were changed or deleted, once no job has them any more.
  dropOldValues: `
    delete from secret_values where id in (
      select v.id from secret_values v where (not v.is_current or v.parent_id is null) and not exists (
        select from secret_uses x join job_attempts a on a.id = x.attempt_id
        where x.value_id = v.id and a.state <> 'ended')
      for update skip locked)`,
  listUses: `
    select n.full_name as repository, p.id as pipeline_id, p.number as pipeline_number, j.id as job_id, j.name as job,
      a.attempt, x.used_at
    from secrets s join secret_uses x on x.parent_id = s.id join job_attempts a on a.id = x.attempt_id
    join jobs j on j.id = a.job_id join pipelines p on p.id = j.pipeline_id
    join repository_names n on n.repository_id = p.repository_id
    where coalesce(s.environment_id, s.repository_id, s.organization_id, '') = $1 and s.name = $2
    order by x.used_at desc, x.attempt_id limit $3 offset $4`,
});

const keyOf = ({ environmentId, repositoryId, organizationId }: SecretPlace) =>
  environmentId ?? repositoryId ?? organizationId ?? "";

export async function listSecrets(db: Database, place: SecretPlace, page: PageQuery) {
  const key = keyOf(place);
  const [rows, total] = await Promise.all([
    db.query(statements.listSecrets, [key, page.per_page, offsetOf(page)]),
    countRows(db, fromPlace, [key]),
  ]);
  return { rows, total };
}

/** Until the transaction ends nobody else changes secrets here; false where the owner is gone. */
export async function holdPlace(
  tx: Transaction,
  { environmentId, repositoryId, organizationId }: SecretPlace,
): Promise<boolean> {
  if (environmentId !== null)
    return (await tx.one(statements.holdEnvironment, [environmentId])) !== undefined;
  if (repositoryId !== null) return (await tx.one(statements.holdRepository, [repositoryId])) !== undefined;
  if (organizationId !== null)
    return (await tx.one(statements.holdOrganization, [organizationId])) !== undefined;
  await tx.query(statements.holdInstance, []);
  return true;
}

export async function hasSecret(
  db: Database | Transaction,
  place: SecretPlace,
  name: string,
): Promise<boolean> {
  return (await db.one(statements.findSecret, [keyOf(place), name])) !== undefined;
}

export async function countSecrets(tx: Transaction, place: SecretPlace): Promise<number> {
  return (await tx.one(statements.countSecrets, [keyOf(place)]))?.count ?? 0;
}

export interface SecretToStore extends SecretLimits {
  id: string;
  name: string;
  updatedBy: string | null;
}

/** A new one, or new limits of the one of that name. */
export async function storeSecret(tx: Transaction, place: SecretPlace, secret: SecretToStore) {
  const row = await tx.one(statements.putSecret, [
    secret.id,
    place.repositoryId,
    place.organizationId,
    secret.name,
    secret.branches,
    secret.tags,
    secret.events,
    secret.stages,
    secret.images,
    secret.updatedBy,
    place.environmentId,
    secret.environments,
    secret.repositories,
  ]);
  if (!row) throw new Error("a secret was not stored");
  return row;
}

/** The value of the secret from now on. Jobs that have the one before keep it until they end. */
export async function storeValue(
  tx: Transaction,
  secretId: string,
  value: { id: string; sealed: Buffer; bytes: number },
): Promise<void> {
  await tx.query(statements.retireValues, [secretId]);
  await tx.query(statements.insertValue, [value.id, secretId, value.sealed, value.bytes]);
}

/** Its id; undefined where there is none. */
export async function deleteSecret(
  tx: Transaction,
  place: SecretPlace,
  name: string,
): Promise<string | undefined> {
  return (await tx.one(statements.deleteSecret, [keyOf(place), name]))?.id;
}

/** Forgets values that nothing needs any more. */
export async function dropOldValues(tx: Transaction): Promise<void> {
  await tx.query(statements.dropOldValues, []);
}

export async function listUses(db: Database, place: SecretPlace, of: { name: string; page: PageQuery }) {
  const key = [keyOf(place), of.name];
  const [rows, total] = await Promise.all([
    db.query(statements.listUses, [...key, of.page.per_page, offsetOf(of.page)]),
    countRows(db, fromUses, key),
  ]);
  return { rows, total };
}
