/** Fetches further files as the end of those that are shown comes near; with a button, for whoever gets there first. */
import { useEffect, useEffectEvent, useRef } from "react";
import { text } from "../../text/diffs.ts";
import { Button } from "../../ui/button.tsx";
import styles from "./diff-viewer.module.css";
import type { ChangedFiles } from "./use-changed-files.ts";
import { whenNear } from "./use-near.ts";

export function MoreFiles({ found }: { found: ChangedFiles }) {
  const ref = useRef<HTMLDivElement>(null);
  const fetchMore = useEffectEvent(found.fetchMore);
  const { hasMore, files } = found;
  useEffect(() => {
    if (hasMore && ref.current) return whenNear(ref.current, () => fetchMore());
    return undefined;
    // Anew after each page: the end may still be near.
  }, [hasMore, files]);
  if (!hasMore) return null;
  return (
    <div ref={ref} className={styles.more}>
      <Button busy={found.isFetchingMore} onClick={found.fetchMore}>
        {text.loadMore}
      </Button>
      <span>{text.shownFiles(files.length, found.total)}</span>
    </div>
  );
}
