/** What people want to get by mail. */
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import type { SettingsRows } from "./settings.rows.ts";

export const statements = defineStatements<SettingsRows>({
  settingsOf: `
    select u.id as user_id, coalesce(s.mail_participating, true) as mail_participating, coalesce(s.mail_watching, true) as mail_watching,
      s.email_id, coalesce(s.digest, 'immediately') as digest, coalesce(s.digest_at, '08:00') as digest_at,
      coalesce(s.time_zone, 'UTC') as time_zone, s.quiet_from, s.quiet_to, coalesce(s.quiet_days, '{}') as quiet_days,
      coalesce(s.auto_watch, true) as auto_watch,
      (u.email <> '' or s.email_id is not null) as has_address
    from users u left join notification_settings s on s.user_id = u.id where u.id = any ($1::text[])`,
  lock: "select id from users where id = $1 for no key update",
  put: `
    insert into notification_settings (user_id, mail_participating, mail_watching, email_id, digest, digest_at, time_zone, quiet_from,
      quiet_to, quiet_days, auto_watch)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10::text[], $11)
    on conflict (user_id) do update set mail_participating = excluded.mail_participating, mail_watching = excluded.mail_watching,
      email_id = excluded.email_id, digest = excluded.digest, digest_at = excluded.digest_at, time_zone = excluded.time_zone,
      quiet_from = excluded.quiet_from, quiet_to = excluded.quiet_to, quiet_days = excluded.quiet_days, auto_watch = excluded.auto_watch, updated_at = now()`,
  turnOff: `
    insert into notification_settings (user_id, mail_participating, mail_watching) select id, false, false from users where id = $1
    on conflict (user_id) do update set mail_participating = false, mail_watching = false, updated_at = now()`,
  findAddress: "select id from user_emails where user_id = $1 and id = $2 and verified_at is not null",
});

export type SettingsRow = RowOf<typeof statements.settingsOf>;

/** With the defaults for those who chose nothing. */
export function settingsOf(db: Queryable, userIds: readonly string[]): Promise<SettingsRow[]> {
  return db.query(statements.settingsOf, [userIds]);
}

export async function putSettings(tx: Transaction, row: Omit<SettingsRow, "has_address">): Promise<void> {
  await tx.query(statements.put, [
    row.user_id,
    row.mail_participating,
    row.mail_watching,
    row.email_id,
    row.digest,
    row.digest_at,
    row.time_zone,
    row.quiet_from,
    row.quiet_to,
    row.quiet_days,
    row.auto_watch,
  ]);
}
