/** Operations on what one is told of. */
import { route } from "../core/route.ts";
import { IssueParams } from "../issues/routes.ts";
import { RepositoryParams } from "../repositories/routes.ts";
import { ItemSubscription, RepositorySubscription, RepositorySubscriptionUpdate } from "./resource.ts";

const shared = { tag: "subscriptions", access: "repo_signed_in", archived: "allowed" } as const;
const read = { ...shared, method: "get", status: 200, errors: [] } as const;
const change = { ...shared, method: "put", status: 200, errors: [] } as const;
const end = { ...shared, method: "delete", status: 204, errors: [] } as const;
const repository = { path: "/repos/:owner/:repo/subscription", params: RepositoryParams } as const;
const issue = { path: "/repos/:owner/:repo/issues/:number/subscription", params: IssueParams } as const;
const mergeRequest = {
  path: "/repos/:owner/:repo/merge-requests/:number/subscription",
  params: IssueParams,
} as const;
const muting = "You are told of it only when somebody names or assigns you.";

export const getSubscription = route({
  ...read,
  ...repository,
  scope: "repo:read",
  id: "getSubscription",
  summary: "What you are told of a repository",
  response: RepositorySubscription,
});

export const putSubscription = route({
  ...change,
  ...repository,
  scope: "repo:write",
  id: "putSubscription",
  summary: "Watch or mute a repository",
  body: RepositorySubscriptionUpdate,
  response: RepositorySubscription,
});

export const deleteSubscription = route({
  ...end,
  ...repository,
  scope: "repo:write",
  id: "deleteSubscription",
  summary: "Be told only of what involves you",
  description: "As the level `participating`.",
});

export const getIssueSubscription = route({
  ...read,
  ...issue,
  scope: "issue:read",
  id: "getIssueSubscription",
  summary: "Whether you are told of an issue, and why",
  response: ItemSubscription,
});

export const putIssueSubscription = route({
  ...change,
  ...issue,
  scope: "issue:write",
  id: "putIssueSubscription",
  summary: "Subscribe to an issue",
  response: ItemSubscription,
});

export const deleteIssueSubscription = route({
  ...end,
  ...issue,
  scope: "issue:write",
  id: "deleteIssueSubscription",
  summary: "Mute an issue",
  description: muting,
});

export const getMergeRequestSubscription = route({
  ...read,
  ...mergeRequest,
  scope: "mr:read",
  id: "getMergeRequestSubscription",
  summary: "Whether you are told of a merge request, and why",
  response: ItemSubscription,
});

export const putMergeRequestSubscription = route({
  ...change,
  ...mergeRequest,
  scope: "mr:write",
  id: "putMergeRequestSubscription",
  summary: "Subscribe to a merge request",
  response: ItemSubscription,
});

export const deleteMergeRequestSubscription = route({
  ...end,
  ...mergeRequest,
  scope: "mr:write",
  id: "deleteMergeRequestSubscription",
  summary: "Mute a merge request",
  description: muting,
});
