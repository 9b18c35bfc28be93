/** Announcements as the REST interface shows them. */
import type { Announcement } from "@forgeline/schemas/administration/resource.ts";
import type { InstanceMeta } from "@forgeline/schemas/instance/routes.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import type { AnnouncementRow } from "./announcements.store.ts";

/** For administrators. */
export function presentAnnouncement(row: AnnouncementRow, addresses: Addresses): Announcement {
  return {
    ...presentCurrentAnnouncement(row),
    url: `${addresses.baseUrl}/admin/announcements/${row.id}`,
    web_url: `${addresses.webUrl}/-/admin/announcements/${row.id}`,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

/** For everybody. */
export function presentCurrentAnnouncement(row: AnnouncementRow): InstanceMeta["announcements"][number] {
  return {
    id: row.id,
    message: row.message,
    level: row.level,
    starts_at: row.starts_at.toISOString(),
    ends_at: row.ends_at?.toISOString() ?? null,
  };
}
