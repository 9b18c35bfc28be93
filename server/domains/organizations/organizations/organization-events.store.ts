/** Writes events of an organization, with the records that they show as they are now. */
import type { Transaction } from "../../../platform/db/database.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import { storableJson } from "../../../platform/storable-text.ts";
import type { OrganizationEventsRows } from "./organization-events.rows.ts";

export const statements = defineStatements<OrganizationEventsRows>({
  insertEvent: `
    insert into events (kind, action, organization_id, organization, sender, subject)
    select $6, $2, o.id, jsonb_build_object('id', o.id, 'name', n.name),
      user_snapshot($3::text), $4::jsonb || case when $5::text is null then '{}' else jsonb_build_object('user', user_snapshot($5)) end
    from organizations o join owners n on n.id = o.id where o.id = $1 returning position`,
});

/** Its position; undefined where the organization is gone. */
export async function insertEvent(
  tx: Transaction,
  event: {
    organizationId: string;
    kind: string;
    action: string;
    senderId: string | null;
    subject: object;
    /** Shown as `user` in the subject. */
    userId: string | null;
  },
): Promise<number | undefined> {
  const { organizationId, kind, action, senderId, subject, userId } = event;
  const values = [organizationId, action, senderId, storableJson(subject), userId, kind];
  return (await tx.one(statements.insertEvent, values))?.position;
}
