/** Wires what people are told of. */
import type { Platform } from "../../../platform/platform.ts";
import type { Operation } from "../../operation/domain.ts";
import { planMails } from "../notification-mails/plan-mails.ts";
import { createRouteTeams } from "../team-routing/route-news.ts";
import { createNotificationService } from "./inbox.ts";
import { createNotificationMetrics } from "./metrics.ts";
import { createSubscriptionService } from "./subscriptions.ts";
import { createNotificationTeller } from "./teller.ts";
import { createNotificationUpkeep } from "./upkeep.ts";

export function createNotifications({ platform, operation }: { platform: Platform; operation: Operation }) {
  const { db, logger, metrics: registry } = platform;
  return {
    notifications: createNotificationService(platform),
    subscriptions: createSubscriptionService(platform),
    notificationTeller: createNotificationTeller({
      db,
      logger,
      metrics: createNotificationMetrics(registry, db),
      planMails,
      routeTeams: createRouteTeams(operation.mail),
    }),
    notificationUpkeep: createNotificationUpkeep(db),
  };
}
