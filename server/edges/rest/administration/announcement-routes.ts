/** Binds announcements for administrators; everybody sees them in `GET /meta`. */
import {
  createAnnouncement,
  deleteAnnouncement,
  getAnnouncement,
  listAnnouncements,
} from "@forgeline/schemas/administration/routes.ts";
import type { RouteBinder } from "../route-binder.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import { presentAnnouncement, type AnnouncementService } from "../../../domains/operation/domain.ts";

export function registerAnnouncementRoutes(
  app: RouteBinder,
  deps: { announcements: AnnouncementService; addresses: Addresses },
): void {
  const { announcements, addresses } = deps;
  app.bind(listAnnouncements, async ({ query }) => {
    const { rows, total } = await announcements.list(query);
    return { body: rows.map((row) => presentAnnouncement(row, addresses)), total };
  });
  app.bind(createAnnouncement, async ({ actor, body }) => {
    const shown = presentAnnouncement(await announcements.create(actor, body), addresses);
    return { body: shown, location: shown.url };
  });
  app.bind(getAnnouncement, async ({ params }) => ({
    body: presentAnnouncement(await announcements.get(params.id), addresses),
  }));
  app.bind(deleteAnnouncement, ({ actor, params }) => announcements.remove(actor, params.id));
}
