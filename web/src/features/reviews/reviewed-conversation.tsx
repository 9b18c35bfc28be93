/** The conversation of a merge request: reviews with their threads stand where they were submitted. */
import { MessageSquare } from "lucide-react";
import { useMemo, useState, type ReactNode } from "react";
import { Link, useLocation } from "react-router";
import { text } from "../../text/reviews.ts";
import { Time } from "../../ui/time.tsx";
import { fileId } from "../diffs/anchors.ts";
import { mergeRequestAddress } from "../merge-requests/addresses.ts";
import type { MergeRequest } from "../merge-requests/merge-request.ts";
import { useRepository } from "../repositories/use-repository.ts";
import { Actor } from "../work-items/actor.tsx";
import { Conversation, type ConversationProps } from "../work-items/conversation.tsx";
import type { Entry } from "../work-items/merge-by-time.ts";
import { BatchBar } from "./batch-bar.tsx";
import { createBatchStore } from "./batch-store.ts";
import { lineNameOf, pathOf } from "./place-threads.ts";
import { ReviewCard } from "./review-card.tsx";
import styles from "./review-card.module.css";
import { ReviewContext, useShownReview } from "./review-context.ts";
import type { Review, Thread } from "./review.ts";
import { ThreadCard } from "./thread-card.tsx";
import { useReviewCalls, useReviews, useThreads } from "./use-reviews.ts";
import { whereOf } from "./where.ts";

interface ReviewedConversationProps extends Omit<ConversationProps, "draw" | "waits" | "itemAuthor"> {
  mergeRequest: MergeRequest;
}

export function ReviewedConversation({ mergeRequest, ...rest }: ReviewedConversationProps) {
  const calls = useReviewCalls();
  const [batch] = useState(createBatchStore);
  const threads = useThreads(mergeRequest);
  const reviews = useReviews(mergeRequest);
  const isPending = reviews.data?.some(({ state }) => state === "pending") ?? false;
  const shown = useMemo(
    () => ({ mergeRequest, calls, isPending, batch, hasOldSide: true }),
    [mergeRequest, calls, isPending, batch],
  );
  const { hash } = useLocation();
  const draw = (entry: Entry) =>
    drawEntry(entry, { threads: threads.data ?? [], reviews: reviews.data ?? [], hash });
  // Where either cannot be read, the rest is shown all the same.
  const waits = (!threads.data && !threads.error) || (!reviews.data && !reviews.error);
  return (
    <ReviewContext value={shown}>
      <Conversation {...rest} {...{ draw, waits }} itemAuthor={mergeRequest.author} />
      <BatchBar />
      <Unresolved mergeRequest={mergeRequest} threads={threads.data ?? []} />
    </ReviewContext>
  );
}

interface Known {
  threads: readonly Thread[];
  reviews: readonly Review[];
  hash: string;
}

function drawEntry(entry: Entry, { threads, reviews, hash }: Known): ReactNode {
  if (entry.kind === "event") {
    const { review: of } = entry.event;
    const review = reviews.find(({ id }) => id === of?.id);
    if (entry.event.kind !== "reviewed" || !review) return undefined;
    return (
      <ReviewCard review={review} verdict={of?.state} isTarget={hash === `#${review.id}`}>
        <OfReview review={review} threads={threads} />
      </ReviewCard>
    );
  }
  const { id, thread_id: of, review_id: review } = entry.comment;
  const thread = threads.find((each) => each.id === of);
  if (!thread) return undefined;
  // A thread stands where its first comment does; one of a review with that.
  return thread.comments[0]?.id === id && review === null ? <Begun thread={thread} /> : null;
}

function OfReview({ review, threads }: { review: Review; threads: readonly Thread[] }) {
  const begun = threads.filter(({ comments: [first] }) => first?.review_id === review.id);
  const replies = threads.flatMap(({ comments: [, ...rest] }) =>
    rest.filter((comment) => comment.review_id === review.id),
  );
  return (
    <>
      {begun.length > 0 ? (
        <div className={styles.threads}>
          {begun.map((thread) => (
            <ThreadOnPage key={thread.id} thread={thread} />
          ))}
        </div>
      ) : null}
      {replies.length > 0 ? (
        <div className={styles.replies}>
          {text.repliedIn}
          {replies.map((reply) => (
            <a key={reply.id} href={`#${reply.id}`}>
              {reply.path}
            </a>
          ))}
        </div>
      ) : null}
    </>
  );
}

/** By a comment that is part of no review. */
function Begun({ thread }: { thread: Thread }) {
  const [first] = thread.comments;
  return (
    <div className={styles.review}>
      <div className={styles.replies}>
        <MessageSquare size={14} aria-hidden />{" "}
        <Actor person={first?.author ?? null} imported={first?.imported_author} /> {text.startedThread}{" "}
        <Time at={thread.created_at} />
      </div>
      <div className={styles.threads}>
        <ThreadOnPage thread={thread} />
      </div>
    </div>
  );
}

function ThreadOnPage({ thread }: { thread: Thread }) {
  const repository = useRepository();
  const { number } = useShownReview().mergeRequest;
  const line = lineNameOf(thread);
  const path = pathOf(thread);
  const hash = `#${fileId(path)}${line === undefined ? "" : `:${line}`}`;
  return (
    <ThreadCard
      thread={thread}
      withExcerpt
      title={
        <Link to={`${mergeRequestAddress(repository, number, "files")}${hash}`} title={text.seeInChanges}>
          {path} ({whereOf(thread)})
        </Link>
      }
    />
  );
}

function Unresolved({ mergeRequest, threads }: { mergeRequest: MergeRequest; threads: readonly Thread[] }) {
  const repository = useRepository();
  const open = threads.filter(({ resolved }) => !resolved);
  const [first] = open;
  if (!first) return null;
  return (
    <p className={styles.unresolved}>
      <MessageSquare size={16} aria-hidden /> {text.unresolved(open.length)}
      <Link to={`${mergeRequestAddress(repository, mergeRequest.number, "files")}#${first.id}`}>
        {text.seeInChanges}
      </Link>
    </p>
  );
}
