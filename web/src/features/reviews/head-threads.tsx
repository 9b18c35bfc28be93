/** At the end of a file's head: how many threads it has, and a button that comments on the file as a whole. */
import { MessageSquare, MessageSquarePlus } from "lucide-react";
import { text } from "../../text/reviews.ts";
import { IconButton } from "../../ui/button.tsx";
import { useReviewStore, useShownReview } from "./review-context.ts";
import { useNotes } from "./use-notes.ts";
import styles from "./threads.module.css";

interface HeadThreadsProps {
  path: string;
  mayComment: boolean;
  setOpen: (isOpen: boolean) => void;
}

export function HeadThreads({ path, mayComment, setOpen }: HeadThreadsProps) {
  const { mergeRequest } = useShownReview();
  const store = useReviewStore();
  const { threads } = useNotes(path);
  const lists = [threads.ofFile, threads.outdated, ...threads.ofLines.values()];
  const count = lists.reduce((sum, list) => sum + list.length, 0);
  return (
    <span className={styles.ofFile}>
      {count === 0 ? null : (
        <span className={styles.count} title={text.threads(count)}>
          <MessageSquare aria-hidden /> <span aria-hidden>{count}</span>
          <span className="visually-hidden">{text.threads(count)}</span>
        </span>
      )}
      {mayComment ? (
        <IconButton
          label={text.commentOnFile(path)}
          onClick={() => {
            setOpen(true);
            store.openForm(path, { range: null, seen: mergeRequest.head_sha });
          }}
        >
          <MessageSquarePlus aria-hidden />
        </IconButton>
      ) : null}
    </span>
  );
}
