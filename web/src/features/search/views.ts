/** Searches that people want every day. */
export const awaitedReviews = "is:open review-requested:me";

export const queries = {
  created: "is:open author:me",
  assigned: "is:open assignee:me",
  mentioned: "is:open mentions:me",
  waiting: awaitedReviews,
} as const;

export type View = keyof typeof queries;
