/** Rows of `sso_configurations`. */
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import type { EncryptedPage } from "../../../platform/keys/encrypted-values.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import type { ConfigurationRows } from "./configuration.rows.ts";

const selected = `select c.*, o.name as organization from sso_configurations c join owners o on o.id = c.organization_id`;

export const statements = defineStatements<ConfigurationRows>({
  findConfiguration: `${selected} where c.organization_id = $1`,
  findOffered: `${selected} where lower(o.name) = lower($1) and c.enabled`,
  replaceConfiguration: `
    insert into sso_configurations (id, organization_id, issuer, client_id, sealed_client_secret, email_domains,
      provision, provision_approved, enabled)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
    on conflict (organization_id) do update set issuer = excluded.issuer, client_id = excluded.client_id,
      sealed_client_secret = excluded.sealed_client_secret, email_domains = excluded.email_domains,
      provision = excluded.provision, provision_approved = excluded.provision_approved, enabled = excluded.enabled,
      updated_at = now()`,
  countByKey: `
    select case when c.mark = any($1) then encode(c.mark, 'hex') else '' end as mark, count(*) as count
    from (select substring(sealed_client_secret from 1 for 8) as mark from sso_configurations) c group by 1`,
  lockOfOtherKeys: `
    select organization_id as id, sealed_client_secret from sso_configurations
    where organization_id > $1 and substring(sealed_client_secret from 1 for 8) <> $2
    order by organization_id limit $3 for no key update`,
  replaceSecrets: `
    update sso_configurations c set sealed_client_secret = v.sealed
    from unnest($1::text[], $2::bytea[]) as v (id, sealed) where c.organization_id = v.id`,
  deleteConfiguration: "delete from sso_configurations where organization_id = $1",
});

/** `organization` is the organization's name, as it was created. */
export type ConfigurationRow = ConfigurationRows["findConfiguration"];

export function findConfiguration(
  db: Queryable,
  organizationId: string,
): Promise<ConfigurationRow | undefined> {
  return db.one(statements.findConfiguration, [organizationId]);
}

/** Only where somebody can sign in. */
export function findOffered(db: Queryable, organization: string): Promise<ConfigurationRow | undefined> {
  return db.one(statements.findOffered, [organization]);
}

export type NewConfiguration = Omit<ConfigurationRow, "organization" | "created_at" | "updated_at">;

/** Replaces the organization's configuration, if there is one, and keeps its identifier. */
export async function replaceConfiguration(tx: Transaction, row: NewConfiguration): Promise<void> {
  await tx.query(statements.replaceConfiguration, [
    row.id,
    row.organization_id,
    row.issuer,
    row.client_id,
    row.sealed_client_secret,
    row.email_domains,
    row.provision,
    row.provision_approved,
    row.enabled,
  ]);
}

/** With its identities, their sessions, and sign-ins in progress. */
export async function deleteConfiguration(tx: Transaction, organizationId: string): Promise<void> {
  await tx.query(statements.deleteConfiguration, [organizationId]);
}

/** Configurations by the mark of the key of their secret (`EncryptedValues`). */
export function countByKey(
  db: Queryable,
  marks: readonly Buffer[],
): Promise<ConfigurationRows["countByKey"][]> {
  return db.query(statements.countByKey, [[...marks]]);
}

/** Until the transaction ends; `id` is the organization's. */
export function lockOfOtherKeys(
  tx: Transaction,
  { after, mark, limit }: EncryptedPage,
): Promise<ConfigurationRows["lockOfOtherKeys"][]> {
  return tx.query(statements.lockOfOtherKeys, [after, mark, limit]);
}

/** By the ids of organizations. */
export async function replaceSecrets(
  tx: Transaction,
  secrets: readonly { id: string; sealedClientSecret: Buffer }[],
): Promise<void> {
  await tx.query(statements.replaceSecrets, [
    secrets.map(({ id }) => id),
    secrets.map(({ sealedClientSecret }) => sealedClientSecret),
  ]);
}
