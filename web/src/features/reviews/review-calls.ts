/** The operations of reviews. */
import { api } from "../../api/client.ts";
import { fetchAll } from "../../api/fetch-all.ts";
import type { Chosen } from "./batch-store.ts";
import type { ReviewEvent } from "./review.ts";

export interface MergeRequestPath {
  owner: string;
  repo: string;
  number: number;
}

const address = "/repos/{owner}/{repo}/merge-requests/{number}";

export interface ThreadPlace {
  path: string;
  side: "old" | "new";
  line?: number;
  start_line?: number;
  /** The head that was seen. */
  commit_sha: string;
}

export interface Said {
  event: ReviewEvent;
  body: string;
  /** The head that was seen. */
  commit_sha: string;
}

export function reviewCalls(path: MergeRequestPath) {
  const params = { path };
  const ofReview = (review: string) => ({ params: { path: { ...path, review } } });
  const ofThread = (thread: string) => ({ params: { path: { ...path, thread } } });
  return {
    key: [path.owner, path.repo, String(path.number)],
    threads: () =>
      fetchAll((query) =>
        api.GET(`${address}/threads`, { params: { path, query: { ...query, state: "all" } } }),
      ),
    reviews: () => fetchAll((query) => api.GET(`${address}/reviews`, { params: { path, query } })),
    reviewers: () => fetchAll((query) => api.GET(`${address}/reviewers`, { params: { path, query } })),
    moreComments: (thread: string) =>
      fetchAll((query) =>
        api.GET(`${address}/threads/{thread}/comments`, { params: { path: { ...path, thread }, query } }),
      ),
    begin: async (place: ThreadPlace, body: string, pending: boolean) =>
      (await api.POST(`${address}/threads`, { params, body: { ...place, body, pending } })).data,
    reply: async (thread: string, body: string, pending: boolean) =>
      (
        await api.POST(`${address}/threads/{thread}/comments`, {
          ...ofThread(thread),
          body: { body, pending },
        })
      ).data,
    resolve: (thread: string) => api.POST(`${address}/threads/{thread}/resolve`, ofThread(thread)),
    reopen: (thread: string) => api.POST(`${address}/threads/{thread}/reopen`, ofThread(thread)),
    review: (said: Said) => api.POST(`${address}/reviews`, { params, body: said }),
    submit: (review: string, said: Said) =>
      api.POST(`${address}/reviews/{review}/submit`, { ...ofReview(review), body: said }),
    discard: (review: string) => api.DELETE(`${address}/reviews/{review}`, ofReview(review)),
    edit: (review: string, body: string, previous: string) =>
      api.PATCH(`${address}/reviews/{review}`, {
        ...ofReview(review),
        body: { body, previous_body: previous },
      }),
    newestBody: async (review: string) =>
      (await api.GET(`${address}/reviews/{review}`, ofReview(review))).data?.body ?? "",
    dismiss: (review: string, reason: string) =>
      api.POST(`${address}/reviews/{review}/dismiss`, { ...ofReview(review), body: { reason } }),
    viewed: async () => (await api.GET(`${address}/viewed-files`, { params })).data ?? nothingViewed,
    markViewed: (file: string, seen: string) =>
      api.PUT(`${address}/viewed-files`, { params, body: { path: file, head_sha: seen } }),
    unmarkViewed: (file: string) =>
      api.DELETE(`${address}/viewed-files`, { params: { path, query: { path: file } } }),
    changesSince: async (since: string) =>
      (await api.GET(`${address}/changes-since`, { params: { path, query: { since } } })).data ?? null,
    setSeen: (sha: string) => api.PUT(`${address}/seen`, { params, body: { sha } }),
    suggestions: () => fetchAll((query) => api.GET(`${address}/suggestions`, { params: { path, query } })),
    applySuggestions: (suggestions: readonly Chosen[], message: string) =>
      api.POST(`${address}/suggestions/apply`, {
        params,
        body: { suggestions: [...suggestions], ...(message === "" ? {} : { message }) },
      }),
    ask: (reviewers: string[], teams: string[]) =>
      api.PUT(`${address}/reviewers`, { params, body: { reviewers, teams } }),
    askAgain: (body: { again: string[] } | { teams_again: string[] }) =>
      api.PUT(`${address}/reviewers`, { params, body }),
  };
}

const nothingViewed = { head_sha: "", viewed: [], changed: [], files_count: 0 };

export type ReviewCalls = ReturnType<typeof reviewCalls>;
