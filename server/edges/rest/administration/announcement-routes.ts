/** Binds announcements for administrators; everybody sees them in `GET /meta`. */
import type { Announcement } from "@forgeline/schemas/administration/resource.ts";
import {
  createAnnouncement,
  deleteAnnouncement,
  getAnnouncement,
  listAnnouncements,
} from "@forgeline/schemas/administration/routes.ts";
import type { RouteBinder } from "../route-binder.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import type { AnnouncementService, AnnouncementRow } from "../../../domains/operation/domain.ts";

export function registerAnnouncementRoutes(
  app: RouteBinder,
  deps: { announcements: AnnouncementService; addresses: Addresses },
): void {
  const { announcements } = deps;
  const present = (row: AnnouncementRow): Announcement => ({
    ...presentShown(row),
    url: `${deps.addresses.baseUrl}/admin/announcements/${row.id}`,
    web_url: `${deps.addresses.webUrl}/-/admin/announcements/${row.id}`,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  });
  app.bind(listAnnouncements, async ({ query }) => {
    const { rows, total } = await announcements.list(query);
    return { body: rows.map(present), total };
  });
  app.bind(createAnnouncement, async ({ actor, body }) => {
    const shown = present(await announcements.create(actor, body));
    return { body: shown, location: shown.url };
  });
  app.bind(getAnnouncement, async ({ params }) => ({ body: present(await announcements.get(params.id)) }));
  app.bind(deleteAnnouncement, ({ actor, params }) => announcements.remove(actor, params.id));
}

export function presentShown(row: AnnouncementRow) {
  return {
    id: row.id,
    message: row.message,
    level: row.level,
    starts_at: row.starts_at.toISOString(),
    ends_at: row.ends_at?.toISOString() ?? null,
  };
}
