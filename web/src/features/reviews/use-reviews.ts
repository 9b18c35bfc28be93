/** Reviews and threads of a merge request, each list fetched once for a page. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { pollUnlessRefused } from "../../api/polling.ts";
import { useSession } from "../../api/session.ts";
import { earlyReviews, earlyThreads } from "../merge-requests/early-answers.ts";
import type { MergeRequest } from "../merge-requests/merge-request.ts";
import { useMergeRequestPath } from "../merge-requests/use-merge-request.ts";
import { reviewersOptions } from "./reviewers-options.ts";
import { reviewCalls, type ReviewCalls } from "./review-calls.ts";
import type { Review, Reviewer, Thread } from "./review.ts";

const everyMs = 20_000;

export function useReviewCalls(): ReviewCalls {
  const { owner, repo, number } = useMergeRequestPath();
  return useMemo(() => reviewCalls({ owner, repo, number }), [owner, repo, number]);
}

/** Asked for again when the code has changed: lines are found anew once the branches are compared. */
export function useThreads({ head_sha: head, mergeable }: MergeRequest) {
  const { key } = useReviewCalls();
  const path = useMergeRequestPath();
  return useList<Thread>(["threads", ...key, head, mergeable === "checking"], () => earlyThreads.take(path));
}

/** Those that were submitted, and the reader's own pending one. */
export function useReviews({ head_sha: head }: MergeRequest) {
  const { key } = useReviewCalls();
  const path = useMergeRequestPath();
  return useList<Review>(["reviews", ...key, head], () => earlyReviews.take(path));
}

export function usePendingReview(mergeRequest: MergeRequest): Review | undefined {
  const { data } = useReviews(mergeRequest);
  return data?.find(({ state }) => state === "pending");
}

export function useReviewers() {
  const { queryKey } = reviewersOptions(useMergeRequestPath());
  const calls = useReviewCalls();
  return useList<Reviewer>(queryKey, calls.reviewers);
}

/** Approving and asking for changes is for others, while it is open. */
export function useMayDecide({ author, state }: MergeRequest): boolean {
  const session = useSession();
  return state === "open" && session?.user.id !== author?.id;
}

function useList<T>(queryKey: readonly unknown[], queryFn: () => Promise<T[]>) {
  return useQuery({
    queryKey,
    queryFn,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { error } }) => pollUnlessRefused(error, everyMs),
  });
}
