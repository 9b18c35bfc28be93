/** What somebody gets by mail, as the REST interface shows it. */
import type {
  NotificationSettings,
  OrganizationAddress,
  QuietHours,
  Weekday,
} from "@forgeline/schemas/notifications/settings.ts";
import type { SettingsRow } from "./settings.store.ts";

export function presentNotificationSettings(
  row: SettingsRow,
  addresses: OrganizationAddress[],
): NotificationSettings {
  return {
    mail_participating: row.mail_participating,
    mail_watching: row.mail_watching,
    email_id: row.email_id,
    organization_addresses: addresses,
    digest: row.digest,
    digest_at: row.digest_at,
    time_zone: row.time_zone,
    quiet_hours: quietHoursOf(row),
    auto_watch: row.auto_watch,
  };
}

function quietHoursOf({ quiet_from: from, quiet_to: to, quiet_days: days }: SettingsRow): QuietHours | null {
  return from === null || to === null ? null : { from, to, days: days as Weekday[] };
}
