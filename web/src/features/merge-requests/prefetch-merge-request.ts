/**
 * What the page of a merge request asks for. It goes out as soon as the address is known, beside the question for the repository, so
 * that the conversation does not wait for the one answer after the other.
 */
import type { LoaderFunctionArgs } from "react-router";
import { $api } from "../../api/client.ts";
import { pagesOptions } from "../../api/pages-options.ts";
import { queryClient } from "../../api/query-client.ts";
import { mayBeSignedIn } from "../../api/session.ts";
import { subscriptionOptions } from "../notifications/subscription-options.ts";
import { reviewersOptions } from "../reviews/reviewers-options.ts";
import { earlyCommits, earlyRequirements, earlyReviews, earlyThreads } from "./early-answers.ts";
import { mergeRequestCalls } from "./merge-request-calls.ts";

/** Does not wait: the page shows what is there, and says what is no merge request. */
export function prefetchMergeRequest({ params }: LoaderFunctionArgs): null {
  const { owner = "", repo = "", number: written = "" } = params;
  if (!/^[1-9]\d{0,8}$/.test(written)) return null;
  const number = Number(written);
  const path = { owner, repo, number };
  const record = $api.queryOptions("get", "/repos/{owner}/{repo}/merge-requests/{number}", {
    params: { path },
  });
  const isKnown = queryClient.getQueryData(record.queryKey) !== undefined;
  void queryClient.prefetchQuery(
    $api.queryOptions("get", "/repos/{owner}/{repo}", { params: { path: { owner, repo } } }),
  );
  void queryClient.prefetchQuery(record);
  void queryClient.prefetchQuery(reviewersOptions(path));
  if (mayBeSignedIn()) void queryClient.prefetchQuery(subscriptionOptions("merge_request", path));
  const { key, comments, timeline } = mergeRequestCalls(path);
  void queryClient.prefetchInfiniteQuery(pagesOptions([...key, "comments"], comments));
  void queryClient.prefetchInfiniteQuery(pagesOptions([...key, "timeline"], timeline));
  // Last, so that the record does not wait. What is kept by its head is there with a record that is.
  if (!isKnown)
    for (const early of [earlyThreads, earlyReviews, earlyRequirements, earlyCommits]) early.begin(path);
  return null;
}
