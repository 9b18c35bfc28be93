/** Which changes of a merge request are shown, as the address says: all of them, those since some head, or those of one commit. */
import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { useSearchParams } from "react-router";
import { api } from "../../api/client.ts";
import { useSession } from "../../api/session.ts";
import { totalOf } from "../../api/total.ts";
import type { DiffSource } from "../diffs/source.ts";
import { useRepositoryDiff } from "../diffs/use-repository-diff.ts";
import type { MergeRequest } from "../merge-requests/merge-request.ts";
import { useMergeRequestPath } from "../merge-requests/use-merge-request.ts";
import { useRepository } from "../repositories/use-repository.ts";
import { useReviewCalls } from "./use-reviews.ts";

export type Shown = { kind: "all" } | { kind: "since"; sha: string } | { kind: "commit"; sha: string };

const sha = /^[0-9a-f]{40}$/;

export function useShown(): [Shown, (shown: Shown) => void] {
  const [params, setParams] = useSearchParams();
  const [since, commit] = [params.get("since") ?? "", params.get("commit") ?? ""];
  const shown: Shown = sha.test(since)
    ? { kind: "since", sha: since }
    : sha.test(commit)
      ? { kind: "commit", sha: commit }
      : { kind: "all" };
  const show = (next: Shown) => {
    const change = (before: URLSearchParams) => {
      before.delete("since");
      before.delete("commit");
      if (next.kind !== "all") before.set(next.kind, next.sha);
      return before;
    };
    setParams(change, { replace: true });
  };
  return [shown, show];
}

/** What of `shown` is not all; `all` where it is. */
export function useShownSource(shown: Shown, all: DiffSource, head: string): DiffSource {
  const { owner, repo, number } = useMergeRequestPath();
  const name = shown.kind === "commit" ? shown.sha : head;
  const ofCommit = useRepositoryDiff(name, name);
  const since = shown.kind === "since" ? shown.sha : undefined;
  const ofSince = useMemo((): DiffSource | undefined => {
    if (since === undefined) return undefined;
    const path = { owner, repo, number };
    const address = "/repos/{owner}/{repo}/merge-requests/{number}/changes-since";
    return {
      key: [owner, repo, `!${number}`, `since ${since}`, head],
      after: head,
      fetchFiles: async (query) => {
        const { data = [], response } = await api.GET(`${address}/files`, {
          params: { path, query: { ...query, since } },
        });
        const isCut = response.headers.get("X-Files-Truncated") === "true";
        return { files: data, total: totalOf(response), isCut };
      },
      fetchFile: async (query) => {
        const { data } = await api.GET(`${address}/patch`, { params: { path, query: { ...query, since } } });
        return data as NonNullable<typeof data>;
      },
    };
  }, [owner, repo, number, since, head]);
  return shown.kind === "commit" ? ofCommit : (ofSince ?? all);
}

/** What changed since some head: `last_review`, `last_look` or its id. Nobody has looked who is not signed in. */
export function useSince(since: string, { head_sha: head }: MergeRequest, isWanted = true) {
  const calls = useReviewCalls();
  const session = useSession();
  return useQuery({
    queryKey: ["changes-since", ...calls.key, head, since],
    queryFn: () => calls.changesSince(since),
    enabled: session !== null && isWanted,
    staleTime: "static",
  });
}

/** Remembers which head the reader has looked at, when they leave it: until then the page compares with the one before. */
export function useRememberLook(mergeRequest: MergeRequest): void {
  const calls = useReviewCalls();
  const { archived } = useRepository();
  const { head_sha: head } = mergeRequest;
  const { data } = useSince("last_look", mergeRequest, !archived);
  const isNew = data !== undefined && data !== null && data.since_sha !== head;
  useEffect(() => {
    if (!isNew) return undefined;
    // Nothing else depends on it: where it fails, the next visit only shows more.
    return () => void calls.setSeen(head).catch(() => undefined);
  }, [isNew, calls, head]);
}
