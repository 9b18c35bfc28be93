/** How many of the files are viewed. */
import { useSyncExternalStore } from "react";
import { text } from "../../text/reviews.ts";
import type { MergeRequest } from "../merge-requests/merge-request.ts";
import styles from "./review-bar.module.css";
import type { ReviewStore } from "./review-store.ts";
import { useViewed } from "./viewed-files.ts";

export function ViewedCount({ mergeRequest, store }: { mergeRequest: MergeRequest; store: ReviewStore }) {
  const data = useViewed(mergeRequest, store);
  const viewed = useSyncExternalStore(store.subscribe, () => store.viewed().size);
  if (!data || data.files_count === 0) return null;
  return (
    <span className={styles.viewed}>
      {text.viewedOf(viewed, data.files_count)}
      {data.changed.length > 0 ? ` · ${text.changedSinceViewed(data.changed.length)}` : ""}
    </span>
  );
}
