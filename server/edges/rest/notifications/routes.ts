/** Binds the operations on one's inbox. */
import {
  countNotifications,
  getNotification,
  listNotifications,
  markNotificationsRead,
  updateNotification,
} from "@forgeline/schemas/notifications/routes.ts";
import type { NotificationService } from "../../../domains/collaboration/domain.ts";
import type { RouteBinder } from "../route-binder.ts";

export function registerNotificationRoutes(
  app: RouteBinder,
  { notifications }: { notifications: NotificationService },
): void {
  app.bind(listNotifications, async ({ actor, query }) => {
    const { items, total } = await notifications.list(actor, query);
    return { body: items, total };
  });
  app.bind(markNotificationsRead, ({ actor, body }) => notifications.markRead(actor, body));
  app.bind(countNotifications, async ({ actor }) => ({
    body: { unread: await notifications.countUnread(actor) },
  }));
  app.bind(getNotification, async ({ actor, params }) => ({
    body: await notifications.get(actor, params.id),
  }));
  app.bind(updateNotification, async ({ actor, params, body }) => ({
    body: await notifications.update(actor, params.id, body),
  }));
}
