/** In sight below the changes: what of the reader's review is not submitted yet, the way to submit it, and to the threads. */
import { ArrowDown, ArrowUp } from "lucide-react";
import { useState, type ReactNode } from "react";
import { text } from "../../text/reviews.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { ConfirmButton } from "../../ui/dialog-button.tsx";
import { usePageKeys } from "../../ui/page-keys.ts";
import type { MergeRequest } from "../merge-requests/merge-request.ts";
import { BatchBar } from "./batch-bar.tsx";
import styles from "./review-bar.module.css";
import type { Review, ReviewEvent, Thread } from "./review.ts";
import { SubmitDialog } from "./submit-dialog.tsx";
import { useReviewCalls } from "./use-reviews.ts";
import type { GoToThread } from "./use-review-keys.ts";

interface ReviewBarProps {
  mergeRequest: MergeRequest;
  threads: readonly Thread[];
  pending: Review | undefined;
  go: GoToThread;
  children?: ReactNode;
}

export function ReviewBar({ mergeRequest, threads, pending, go, children }: ReviewBarProps) {
  const [dialog, setDialog] = useState<ReviewEvent>();
  const mayReview = mergeRequest.viewer_may.comment;
  usePageKeys({ a: () => (mayReview ? setDialog("approve") : undefined) });
  const unresolved = threads.filter(({ resolved }) => !resolved).length;
  return (
    <section className={styles.bar} aria-label={text.bar}>
      <span className={styles.threads}>
        <span>{text.unresolved(unresolved)}</span>
        {unresolved > 0 ? (
          <>
            <IconButton label={text.previousThread} onClick={() => go(-1)}>
              <ArrowUp aria-hidden />
            </IconButton>
            <IconButton label={text.nextThread} onClick={() => go(1)}>
              <ArrowDown aria-hidden />
            </IconButton>
          </>
        ) : null}
      </span>
      {children}
      <BatchBar />
      {mayReview ? (
        <span className={styles.actions}>
          {pending ? <Pending review={pending} /> : null}
          <Button kind={pending ? "primary" : "normal"} onClick={() => setDialog("comment")}>
            {pending ? text.submit : text.review}
          </Button>
        </span>
      ) : null}
      {dialog ? (
        <SubmitDialog {...{ mergeRequest, pending }} first={dialog} onClose={() => setDialog(undefined)} />
      ) : null}
    </section>
  );
}

function Pending({ review: { id, comments_count: comments } }: { review: Review }) {
  const calls = useReviewCalls();
  return (
    <>
      <strong>{text.pendingComments(comments)}</strong>
      <ConfirmButton
        label={text.discard}
        title={text.discardTitle}
        said={text.discarded}
        run={() => calls.discard(id)}
      >
        <p>{text.discardHint(comments)}</p>
      </ConfirmButton>
    </>
  );
}
