/** Operations on reviews of a merge request, and on who is asked for one (`decisions.md`, "Collaboration"). */
import { z } from "zod";
import { maxComments } from "../comments/resource.ts";
import { idOf } from "../core/ids.ts";
import { PageQuery } from "../core/pagination.ts";
import { largeBodyBytes, route } from "../core/route.ts";
import { MergeRequest, maxReviewers } from "../merge-requests/resource.ts";
import { MergeRequestParams } from "../merge-requests/routes.ts";
import {
  Review,
  ReviewCreate,
  ReviewDismiss,
  Reviewer,
  ReviewersUpdate,
  ReviewSubmit,
  ReviewUpdate,
  maxPendingComments,
  maxOwnReviews,
  maxReviews,
} from "./resource.ts";

const tag = "reviews";
const read = { tag, access: "repo_read", scope: "mr:read" } as const;
const write = { tag, access: "repo_signed_in", scope: "mr:write", archived: "refused" } as const;
const mergeRequest = "/repos/:owner/:repo/merge-requests/:number";
const all = `${mergeRequest}/reviews`;
const one = `${all}/:review`;
const bodyLimitBytes = largeBodyBytes;

export const ReviewParams = z.strictObject({ ...MergeRequestParams.shape, review: idOf("rev") });

export const listReviews = route({
  ...read,
  id: "listReviews",
  method: "get",
  path: all,
  summary: "Reviews of a merge request, oldest first",
  description: "Those that were submitted, and last the caller's own pending one.",
  params: MergeRequestParams,
  query: PageQuery,
  status: 200,
  response: z.array(Review),
  paginated: true,
  errors: [],
});

export const createReview = route({
  ...write,
  id: "createReview",
  method: "post",
  path: all,
  summary: "Review a merge request",
  description: `Everybody who reads the repository may; it counts from Write on. Without \`event\` it is pending until it is submitted, and only its author sees it. 409 where the caller has a pending review already, for approvals and requests for changes of one's own merge request or of one that is not open, and past ${maxReviews} reviews, ${maxOwnReviews} of them by the caller, or ${maxComments} comments. The first of these bounds does not hold from Write on.`,
  params: MergeRequestParams,
  body: ReviewCreate,
  bodyLimitBytes: 8 * bodyLimitBytes,
  status: 201,
  response: Review,
  errors: ["conflict", "repository_archived"],
});

export const getReview = route({
  ...read,
  id: "getReview",
  method: "get",
  path: one,
  summary: "Get a review",
  params: ReviewParams,
  status: 200,
  response: Review,
  errors: [],
});

export const updateReview = route({
  ...write,
  id: "updateReview",
  method: "patch",
  path: one,
  summary: "Change the text of a review",
  description: "For its author. 409 for a dismissed one.",
  params: ReviewParams,
  body: ReviewUpdate,
  bodyLimitBytes,
  status: 200,
  response: Review,
  errors: ["conflict", "repository_archived"],
});

export const submitReview = route({
  ...write,
  id: "submitReview",
  method: "post",
  path: `${one}/submit`,
  summary: "Submit a pending review",
  description: `Everybody who may see the merge request sees it then, and its comments. 409 where it is submitted already, where it is not the caller's to approve (as for \`createReview\`), and past ${maxComments} comments on the merge request.`,
  params: ReviewParams,
  body: ReviewSubmit,
  bodyLimitBytes,
  status: 200,
  response: Review,
  errors: ["conflict", "repository_archived"],
});

export const deleteReview = route({
  ...write,
  id: "deleteReview",
  method: "delete",
  path: one,
  summary: "Throw a pending review away",
  description: `With its comments, at most ${maxPendingComments}. For its author. 409 for one that is submitted: it can be dismissed.`,
  params: ReviewParams,
  status: 204,
  errors: ["conflict", "repository_archived"],
});

export const dismissReview = route({
  ...write,
  id: "dismissReview",
  method: "post",
  path: `${one}/dismiss`,
  summary: "Dismiss an approval or a request for changes",
  description:
    "From Maintain on; its author withdraws it in the same way. 409 for a review that is dismissed, pending, or only comments.",
  params: ReviewParams,
  body: ReviewDismiss,
  status: 200,
  response: Review,
  errors: ["conflict", "repository_archived"],
});

export const listReviewers = route({
  ...read,
  id: "listReviewers",
  method: "get",
  path: `${mergeRequest}/reviewers`,
  summary: "Who is to review a merge request, and what they say",
  description:
    "Who was asked, who owns the code, and who submitted a review. Teams are shown only to those who may see them.",
  params: MergeRequestParams,
  query: PageQuery,
  status: 200,
  response: z.array(Reviewer),
  paginated: true,
  errors: [],
});

export const setReviewers = route({
  ...write,
  id: "setReviewers",
  method: "put",
  path: `${mergeRequest}/reviewers`,
  summary: "Ask people and teams for a review",
  description: `The author, and from Triage on. A list replaces who was asked until now; one that is left out stays. "again" and "teams_again" ask once more, and take nobody away. Who is asked is told. Code owners stay, and so do teams that the caller may not see. At most ${maxReviewers} altogether. 409 when it is not open, and for an author without Triage who asks somebody again before they have reviewed it. 422 for people who do not belong to the repository, and for teams of others.`,
  params: MergeRequestParams,
  body: ReviewersUpdate,
  bodyLimitBytes,
  status: 200,
  response: MergeRequest,
  errors: ["conflict", "repository_archived"],
});
