/** What threads and forms on a page know of their merge request. */
import { createContext, useContext } from "react";
import type { MergeRequest } from "../merge-requests/merge-request.ts";
import type { BatchStore } from "./batch-store.ts";
import type { ReviewCalls } from "./review-calls.ts";
import type { ReviewStore } from "./review-store.ts";

export interface ShownReview {
  mergeRequest: MergeRequest;
  calls: ReviewCalls;
  /** A pending review of the reader waits for further comments. */
  isPending: boolean;
  batch: BatchStore;
  /** Lines before the change are those of the merge base, so that they can be commented on. */
  hasOldSide: boolean;
}

export const ReviewContext = createContext<ShownReview | undefined>(undefined);

/** By itself, because it stays the same: lines need not be drawn anew with each change of the merge request. */
export const StoreContext = createContext<ReviewStore | undefined>(undefined);

export function useShownReview(): ShownReview {
  const shown = useContext(ReviewContext);
  if (!shown) throw new Error("drawn outside of a merge request");
  return shown;
}

export function useReviewStore(): ReviewStore {
  const store = useContext(StoreContext);
  if (!store) throw new Error("drawn outside of changed files");
  return store;
}
