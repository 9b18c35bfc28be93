/** Rows of `sso_configurations`. */
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
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
