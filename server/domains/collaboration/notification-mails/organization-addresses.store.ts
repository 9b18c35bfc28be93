/** Where somebody wants mails of single organizations. */
import type { OrganizationAddress } from "@forgeline/schemas/notifications/settings.ts";
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import type { OrganizationAddressesRows } from "./organization-addresses.rows.ts";

export const statements = defineStatements<OrganizationAddressesRows>({
  addressesOf: `
    select o.name as organization, a.email_id from notification_addresses a join owners o on o.id = a.organization_id
    where a.user_id = $1 order by lower(o.name)`,
  resolve: `
    select o.id as organization_id, e.id as email_id
    from unnest($2::text[], $3::text[]) with ordinality as w (organization, email_id, place)
      left join owners o on lower(o.name) = lower(w.organization) and o.kind = 'org'
      left join user_emails e on e.id = w.email_id and e.user_id = $1 and e.verified_at is not null
    order by w.place`,
  removeAll: "delete from notification_addresses where user_id = $1",
  // Without those that are deleted just now.
  insert: `
    insert into notification_addresses (user_id, organization_id, email_id)
    select $1, o.id, e.id from unnest($2::text[], $3::text[]) as w (organization, email_id)
      join owners o on lower(o.name) = lower(w.organization) and o.kind = 'org' join user_emails e on e.id = w.email_id
    for key share of o, e`,
});

export type ResolvedAddress = RowOf<typeof statements.resolve>;

/** By the names of the organizations. */
export function addressesOf(db: Queryable, userId: string): Promise<OrganizationAddress[]> {
  return db.query(statements.addressesOf, [userId]);
}

/** In their order, with null for what does not exist, or is no verified address of theirs. */
export function resolve(
  tx: Transaction,
  userId: string,
  wanted: readonly OrganizationAddress[],
): Promise<ResolvedAddress[]> {
  return tx.query(statements.resolve, [userId, ...listsOf(wanted)]);
}

/** Instead of all that they had chosen. */
export async function replace(
  tx: Transaction,
  userId: string,
  wanted: readonly OrganizationAddress[],
): Promise<void> {
  await tx.query(statements.removeAll, [userId]);
  if (wanted.length > 0) await tx.query(statements.insert, [userId, ...listsOf(wanted)]);
}

function listsOf(wanted: readonly OrganizationAddress[]): [string[], string[]] {
  return [wanted.map(({ organization }) => organization), wanted.map(({ email_id: id }) => id)];
}
