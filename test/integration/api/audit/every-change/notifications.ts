/** What somebody is told of, and the entries of their inbox. */
import { notificationOf } from "../../../../support/notification-of.ts";
import type { Driver } from "./driver.ts";

/** `path`: of an issue in the repository `R`. */
export async function changeNotifications(
  { change, server }: Driver,
  by: string,
  { R, path }: { R: Record<string, string>; path: Record<string, string> },
): Promise<void> {
  await change("putSubscription", { by, path: R, body: { level: "watching" } });
  await change("deleteSubscription", { by, path: R });
  await change("putIssueSubscription", { by, path });
  await change("deleteIssueSubscription", { by, path });
  const entry = { id: await notificationOf(server, "ben", R["repo"] ?? "") };
  await change("updateNotification", { by, path: entry, body: { saved: true } });
  await change("markNotificationsRead", { by, body: { read: true } });
  await change("updateNotificationSettings", { by, body: { digest: "daily" } });
}
