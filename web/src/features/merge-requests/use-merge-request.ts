/** The merge request that the address names. While its branches are being compared it is asked for again every few moments. */
import { useParams } from "react-router";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { $api } from "../../api/client.ts";
import { pollUnlessRefused } from "../../api/polling.ts";
import { isOver } from "../../ui/statuses.ts";
import { useRepositoryPath } from "../repositories/use-repository.ts";
import { askCommits, earlyCommits } from "./early-answers.ts";
import type { MergeRequest } from "./merge-request.ts";

const whileCheckingMs = 1_500;
const whileRunningMs = 4_000;
const otherwiseMs = 20_000;

/** As operations of the API want it. */
export function useMergeRequestPath(): { owner: string; repo: string; number: number } {
  const { number } = useParams();
  return { ...useRepositoryPath(), number: Number(number) };
}

export function useMergeRequest() {
  const path = useMergeRequestPath();
  return $api.useQuery(
    "get",
    "/repos/{owner}/{repo}/merge-requests/{number}",
    { params: { path } },
    { refetchInterval: ({ state: { data, error } }) => pollUnlessRefused(error, intervalOf(data)) },
  );
}

function intervalOf(found: MergeRequest | undefined): number {
  if (found?.state !== "open") return otherwiseMs;
  if (found.mergeable === "checking") return whileCheckingMs;
  // A resolution in a fork comes over a moment after it was committed there.
  if (found.merge_queue || found.mergeable === "conflict") return whileRunningMs;
  return found.pipeline && !isOver(found.pipeline.status) ? whileRunningMs : otherwiseMs;
}

/** Newest first; what they are changes only with the two tips that are compared. */
export function useMergeRequestCommits({ head_sha: head, base_sha: base }: MergeRequest, page = 1) {
  const path = useMergeRequestPath();
  return useQuery({
    queryKey: ["merge-request-commits", path, base, head, page],
    queryFn: ({ signal }) => (page === 1 ? earlyCommits.take(path, signal) : askCommits(path, page, signal)),
    placeholderData: keepPreviousData,
  });
}
