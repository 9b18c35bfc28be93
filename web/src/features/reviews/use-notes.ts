/** What the store of reviews knows of one file. Drawn anew only when that changes. */
import { useSyncExternalStore } from "react";
import { useReviewStore } from "./review-context.ts";
import type { FileNotes } from "./review-store.ts";

export function useNotes(path: string): FileNotes {
  const store = useReviewStore();
  return useSyncExternalStore(store.subscribe, () => store.notesOf(path));
}

export function useIsViewed(path: string): boolean {
  const store = useReviewStore();
  return useSyncExternalStore(store.subscribe, () => store.viewed().has(path));
}
