/** Operations on one's inbox (`decisions.md`, "Collaboration"). */
import { z } from "zod";
import { idOf } from "../core/ids.ts";
import { PageQuery } from "../core/pagination.ts";
import { route } from "../core/route.ts";
import {
  fullName,
  Notification,
  NotificationCount,
  NotificationReason,
  NotificationsRead,
  NotificationUpdate,
} from "./resource.ts";
import { NotificationSettings, NotificationSettingsUpdate } from "./settings.ts";

const read = { tag: "notifications", access: "user", scope: "user:read" } as const;
const write = { tag: "notifications", access: "user", scope: "user:write" } as const;
const all = "/notifications";
const one = `${all}/:id`;
const params = z.strictObject({ id: idOf("ntf") });
const scopes =
  "With a token: those about issues if it has `issue:read`, those about merge requests if it has `mr:read`.";

export const NotificationQuery = z.strictObject({
  ...PageQuery.shape,
  unread: z.literal("true").optional().describe("Only unread ones."),
  reason: NotificationReason.optional(),
  repository: fullName.optional().describe("`owner/name`."),
  saved: z.literal("true").optional().describe("Only saved ones, also those that are done."),
  done: z.literal("true").optional().describe("Only those that are done; without it, those that are not."),
});
export type NotificationQuery = z.output<typeof NotificationQuery>;

export const listNotifications = route({
  ...read,
  id: "listNotifications",
  method: "get",
  path: all,
  summary: "Your inbox, newest first",
  description: `What you can no longer read is not shown. ${scopes}`,
  query: NotificationQuery,
  status: 200,
  response: z.array(Notification),
  paginated: true,
  errors: [],
});

export const markNotificationsRead = route({
  ...write,
  id: "markNotificationsRead",
  method: "put",
  path: all,
  summary: "Mark your inbox as read",
  description: scopes,
  body: NotificationsRead,
  status: 204,
  errors: [],
});

export const countNotifications = route({
  ...read,
  id: "countNotifications",
  method: "get",
  path: `${all}/count`,
  summary: "How much of your inbox is unread",
  description: scopes,
  status: 200,
  response: NotificationCount,
  errors: [],
});

export const getNotification = route({
  ...read,
  id: "getNotification",
  method: "get",
  path: one,
  summary: "One entry of your inbox",
  params,
  status: 200,
  response: Notification,
  errors: [],
});

export const updateNotification = route({
  ...write,
  id: "updateNotification",
  method: "patch",
  path: one,
  summary: "Mark an entry of your inbox as read, saved or done",
  params,
  body: NotificationUpdate,
  status: 200,
  response: Notification,
  errors: [],
});

const settings = "/user/notification-settings";

export const getNotificationSettings = route({
  ...read,
  id: "getNotificationSettings",
  method: "get",
  path: settings,
  summary: "What you get by mail, and whether you watch what you create",
  status: 200,
  response: NotificationSettings,
  errors: [],
});

export const updateNotificationSettings = route({
  ...write,
  id: "updateNotificationSettings",
  method: "patch",
  path: settings,
  summary: "Choose what you get by mail, and whether you watch what you create",
  description: "What you leave out stays as it is. Mails that wait for a digest are sent as you choose now.",
  body: NotificationSettingsUpdate,
  status: 200,
  response: NotificationSettings,
  errors: [],
});
