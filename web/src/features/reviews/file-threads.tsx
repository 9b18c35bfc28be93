/** Above the lines of a file: what was said about it as a whole, and what has no line here any more. */
import { text } from "../../text/reviews.ts";
import type { LineName } from "../diffs/slots.ts";
import { NewThreadForm } from "./new-thread-form.tsx";
import { useNotes } from "./use-notes.ts";
import { ThreadCard } from "./thread-card.tsx";
import styles from "./threads.module.css";

interface FileThreadsProps {
  path: string;
  isShown: (line: LineName) => boolean;
}

export function FileThreads({ path, isShown }: FileThreadsProps) {
  const { threads, form } = useNotes(path);
  const away = [...threads.ofLines].flatMap(([line, found]) => (isShown(line) ? [] : found));
  const elsewhere = [...threads.outdated, ...away];
  const isWriting = form?.range === null;
  if (threads.ofFile.length === 0 && elsewhere.length === 0 && !isWriting) return null;
  return (
    <div className={styles.list}>
      {threads.ofFile.map((thread) => (
        <ThreadCard key={thread.id} thread={thread} />
      ))}
      {isWriting ? <NewThreadForm path={path} form={form} /> : null}
      {elsewhere.length > 0 ? <h4>{text.outdatedTitle}</h4> : null}
      {elsewhere.map((thread) => (
        <ThreadCard key={thread.id} thread={thread} withExcerpt />
      ))}
    </div>
  );
}
