/** How the reviewers of a merge request are asked for; also before its page is drawn, and so without React. */
import { queryOptions } from "@tanstack/react-query";
import { reviewCalls, type MergeRequestPath } from "./review-calls.ts";

export function reviewersOptions(path: MergeRequestPath) {
  const calls = reviewCalls(path);
  return queryOptions({ queryKey: ["reviewers", ...calls.key], queryFn: calls.reviewers });
}
