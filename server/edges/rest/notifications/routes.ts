/** Binds the operations on one's inbox. */
import {
  countNotifications,
  getNotification,
  getNotificationSettings,
  listNotifications,
  markNotificationsRead,
  updateNotification,
  updateNotificationSettings,
} from "@forgeline/schemas/notifications/routes.ts";
import type {
  NotificationService,
  NotificationSettingsService,
} from "../../../domains/collaboration/domain.ts";
import type { RouteBinder } from "../route-binder.ts";

export function registerNotificationRoutes(
  app: RouteBinder,
  deps: { notifications: NotificationService; notificationSettings: NotificationSettingsService },
): void {
  const { notifications, notificationSettings } = deps;
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
  app.bind(getNotificationSettings, async ({ actor }) => ({ body: await notificationSettings.get(actor) }));
  app.bind(updateNotificationSettings, async ({ actor, body }) => ({
    body: await notificationSettings.update(actor, body),
  }));
  app.bind(updateNotification, async ({ actor, params, body }) => ({
    body: await notifications.update(actor, params.id, body),
  }));
}
