/** Files that the reader has marked as viewed. A mark falls when the change of its file becomes another one. */
import { useMutation, useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { queryClient } from "../../api/query-client.ts";
import { useSession } from "../../api/session.ts";
import { showProblem } from "../../ui/toasts.tsx";
import type { MergeRequest } from "../merge-requests/merge-request.ts";
import type { ReviewStore } from "./review-store.ts";
import { useReviewCalls } from "./use-reviews.ts";

function keyOf(key: readonly string[], head: string): readonly string[] {
  return ["viewed-files", ...key, head];
}

/** What was marked earlier is in the store as soon as it is known; nobody has marks who is not signed in. */
export function useViewed({ head_sha: head }: MergeRequest, store: ReviewStore) {
  const calls = useReviewCalls();
  const session = useSession();
  const { data } = useQuery({
    queryKey: keyOf(calls.key, head),
    queryFn: calls.viewed,
    enabled: session !== null,
    staleTime: "static",
  });
  useEffect(() => {
    if (data) store.setViewed(new Set(data.viewed));
  }, [data, store]);
  return data;
}

/** Shown at once. */
export function useMarkViewed({ head_sha: head }: MergeRequest, store: ReviewStore) {
  const calls = useReviewCalls();
  const show = (path: string, isViewed: boolean) => {
    const next = new Set(store.viewed());
    if (isViewed) next.add(path);
    else next.delete(path);
    store.setViewed(next);
  };
  const change = useMutation({
    mutationFn: ({ path, isViewed }: { path: string; isViewed: boolean }) =>
      isViewed ? calls.markViewed(path, head) : calls.unmarkViewed(path),
    // In the order of clicks.
    scope: { id: keyOf(calls.key, head).join("/") },
    onError: (error, { path, isViewed }) => {
      show(path, !isViewed);
      showProblem(error);
      void queryClient.invalidateQueries({ queryKey: ["merge-request"] });
    },
  });
  return (path: string, isViewed: boolean) => {
    show(path, isViewed);
    change.mutate({ path, isViewed });
  };
}
