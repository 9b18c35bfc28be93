/** The comments of a thread; of a very long one those beyond the first only when somebody asks. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "react-router";
import { text } from "../../text/reviews.ts";
import { Button } from "../../ui/button.tsx";
import { ProblemNotice } from "../../ui/notice.tsx";
import { CommentCard } from "../work-items/comment-card.tsx";
import { useTextPlace } from "../work-items/use-text-place.ts";
import { CommentSuggestions } from "./suggestions.tsx";
import { useShownReview } from "./review-context.ts";
import type { Thread } from "./review.ts";

interface ThreadCommentsProps {
  thread: Thread;
  onQuote: ((body: string) => void) | undefined;
}

export function ThreadComments({ thread, onQuote }: ThreadCommentsProps) {
  const { calls, mergeRequest } = useShownReview();
  const { hash } = useLocation();
  const place = useTextPlace();
  const [isWhole, setWhole] = useState(false);
  const whole = useQuery({
    queryKey: ["thread-comments", ...calls.key, thread.id],
    queryFn: () => calls.moreComments(thread.id),
    enabled: isWhole,
  });
  const shown = (isWhole && whole.data) || thread.comments;
  return (
    <>
      {shown.map((comment) => (
        <CommentSuggestions key={comment.id} comment={comment}>
          <CommentCard
            {...{ comment, place, onQuote }}
            itemAuthor={mergeRequest.author}
            isTarget={hash === `#${comment.id}`}
            isFlat
          />
        </CommentSuggestions>
      ))}
      {whole.error ? <ProblemNotice error={whole.error} /> : null}
      {thread.comments_count > shown.length ? (
        <Button busy={whole.isFetching} onClick={() => setWhole(true)}>
          {text.showAll(thread.comments_count)}
        </Button>
      ) : null}
    </>
  );
}
