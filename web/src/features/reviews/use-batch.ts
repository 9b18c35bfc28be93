/** The suggestions that are chosen on this page. */
import { useSyncExternalStore } from "react";
import type { BatchStore, Chosen } from "./batch-store.ts";
import { useShownReview } from "./review-context.ts";

export function useBatch(): { store: BatchStore; chosen: readonly Chosen[] } {
  const store = useShownReview().batch;
  return { store, chosen: useSyncExternalStore(store.subscribe, store.chosen) };
}
