/** Binds the operations on what somebody is told of. */
import {
  deleteIssueSubscription,
  deleteMergeRequestSubscription,
  deleteSubscription,
  getIssueSubscription,
  getMergeRequestSubscription,
  getSubscription,
  putIssueSubscription,
  putMergeRequestSubscription,
  putSubscription,
} from "@forgeline/schemas/subscriptions/routes.ts";
import type { SubscriptionService } from "../../../domains/collaboration/domain.ts";
import type { RouteBinder } from "../route-binder.ts";

export function registerSubscriptionRoutes(
  app: RouteBinder,
  { subscriptions }: { subscriptions: SubscriptionService },
): void {
  app.bindRepository(getSubscription, async ({ actor, ...granted }) => ({
    body: await subscriptions.get(actor, granted),
  }));
  app.bindRepository(putSubscription, async ({ actor, body, ...granted }) => ({
    body: await subscriptions.put(actor, granted, body),
  }));
  app.bindRepository(deleteSubscription, ({ actor, ...granted }) => subscriptions.remove(actor, granted));
  registerItems(app, subscriptions);
}

function registerItems(app: RouteBinder, subscriptions: SubscriptionService): void {
  const issue = (params: { number: number }) => ({ kind: "issue", number: params.number }) as const;
  const mergeRequest = (params: { number: number }) =>
    ({ kind: "merge_request", number: params.number }) as const;
  app.bindRepository(getIssueSubscription, async ({ actor, params, ...granted }) => ({
    body: await subscriptions.ofItem(actor, granted, issue(params)),
  }));
  app.bindRepository(putIssueSubscription, async ({ actor, params, ...granted }) => ({
    body: await subscriptions.subscribe(actor, granted, issue(params)),
  }));
  app.bindRepository(deleteIssueSubscription, ({ actor, params, ...granted }) =>
    subscriptions.mute(actor, granted, issue(params)),
  );
  app.bindRepository(getMergeRequestSubscription, async ({ actor, params, ...granted }) => ({
    body: await subscriptions.ofItem(actor, granted, mergeRequest(params)),
  }));
  app.bindRepository(putMergeRequestSubscription, async ({ actor, params, ...granted }) => ({
    body: await subscriptions.subscribe(actor, granted, mergeRequest(params)),
  }));
  app.bindRepository(deleteMergeRequestSubscription, ({ actor, params, ...granted }) =>
    subscriptions.mute(actor, granted, mergeRequest(params)),
  );
}
