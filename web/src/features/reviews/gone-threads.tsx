/** Threads on files that are not among the changes any more; below all others, once these are there. */
import { useSyncExternalStore } from "react";
import { text } from "../../text/reviews.ts";
import type { ChangedFiles } from "../diffs/use-changed-files.ts";
import { useReviewStore, useShownReview } from "./review-context.ts";
import { useNotes } from "./use-notes.ts";
import { ThreadCard } from "./thread-card.tsx";
import styles from "./threads.module.css";

export function GoneThreads({ found }: { found: ChangedFiles }) {
  const store = useReviewStore();
  const paths = useSyncExternalStore(store.subscribe, store.paths);
  const { hasOldSide: isAll } = useShownReview();
  if (!isAll || found.hasMore || found.isCut) return null;
  const shown = new Set(found.files.map(({ path }) => path));
  const gone = paths.filter((path) => !shown.has(path));
  if (gone.length === 0) return null;
  return (
    <section className={styles.list} aria-labelledby="gone-threads">
      <h3 id="gone-threads">{text.goneTitle}</h3>
      {gone.map((path) => (
        <OfFile key={path} path={path} />
      ))}
    </section>
  );
}

function OfFile({ path }: { path: string }) {
  const { ofFile, outdated, ofLines } = useNotes(path).threads;
  return [...ofFile, ...outdated, ...[...ofLines.values()].flat()].map((thread) => (
    <ThreadCard key={thread.id} thread={thread} title={<code>{path}</code>} withExcerpt />
  ));
}
