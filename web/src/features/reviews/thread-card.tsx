/** A conversation on lines: its comments, a reply, and whether it is settled. One that is settled is a line until somebody opens it. */
import { Check, ChevronDown, ChevronRight, RotateCcw } from "lucide-react";
import { useState, type ReactNode } from "react";
import { useLocation } from "react-router";
import { text } from "../../text/reviews.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button, IconButton } from "../../ui/button.tsx";
import { useAction } from "../../ui/use-action.ts";
import { Actor } from "../work-items/actor.tsx";
import { withQuote } from "../work-items/quote.ts";
import { Excerpt } from "./excerpt.tsx";
import { ReplyForm } from "./reply-form.tsx";
import { useShownReview } from "./review-context.ts";
import type { Thread } from "./review.ts";
import { ThreadComments } from "./thread-comments.tsx";
import styles from "./threads.module.css";
import { whereOf } from "./where.ts";

export interface ThreadCardProps {
  thread: Thread;
  /** What stands in its head, where its place alone does not say enough. */
  title?: ReactNode;
  /** The lines that it is about are shown. */
  withExcerpt?: boolean;
}

export function ThreadCard({ thread, title, withExcerpt = false }: ThreadCardProps) {
  const { id, resolved, resolved_by: resolvedBy, comments } = thread;
  const { hash } = useLocation();
  const isLinked = [id, ...comments.map((comment) => comment.id)].some((each) => hash === `#${each}`);
  const [chosen, setChosen] = useState<boolean>();
  const isOpen = chosen ?? (!resolved || isLinked);
  const where = whereOf(thread);
  return (
    <section id={id} className={styles.thread} data-thread={id} tabIndex={-1} aria-label={text.thread(where)}>
      <header className={styles.head}>
        {resolved ? (
          <IconButton
            label={isOpen ? text.hideThread(where) : text.showThread(where)}
            aria-expanded={isOpen}
            onClick={() => setChosen(!isOpen)}
          >
            {isOpen ? <ChevronDown aria-hidden /> : <ChevronRight aria-hidden />}
          </IconButton>
        ) : null}
        <span className={title ? styles.title : styles.where}>{title ?? where}</span>
        {thread.outdated ? (
          <span title={text.outdatedHint}>
            <Badge tone="warn">{text.outdated}</Badge>
          </span>
        ) : null}
        {resolved ? (
          <span className={styles.settled}>
            <Check size={14} aria-hidden /> <Actor person={resolvedBy} /> {text.resolvedBy}
          </span>
        ) : null}
      </header>
      {isOpen ? (
        <>
          {withExcerpt ? <Excerpt patch={thread.excerpt} /> : null}
          <Opened thread={thread} onSettled={() => setChosen(undefined)} />
        </>
      ) : null}
    </section>
  );
}

function Opened({ thread, onSettled }: { thread: Thread; onSettled: () => void }) {
  const [isReplying, setReplying] = useState(false);
  const [reply, setReply] = useState("");
  const may = thread.viewer_may;
  const quote = (body: string) => {
    setReply((typed) => withQuote(typed, body));
    setReplying(true);
  };
  const mayResolve = may.resolve && !thread.pending;
  return (
    <>
      <ThreadComments thread={thread} onQuote={may.reply ? quote : undefined} />
      {isReplying ? (
        <ReplyForm {...{ thread, value: reply, onChange: setReply }} onClose={() => setReplying(false)} />
      ) : null}
      {(may.reply && !isReplying) || mayResolve ? (
        <div className={styles.actions}>
          {may.reply && !isReplying ? <Button onClick={() => setReplying(true)}>{text.reply}</Button> : null}
          {mayResolve ? <SettleButton thread={thread} onSettled={onSettled} /> : null}
        </div>
      ) : null}
    </>
  );
}

function SettleButton({ thread, onSettled }: { thread: Thread; onSettled: () => void }) {
  const { calls } = useShownReview();
  const { id, resolved } = thread;
  const change = useAction(() => (resolved ? calls.reopen(id) : calls.resolve(id)), {
    said: resolved ? text.reopenedNow : text.resolvedNow,
    onDone: onSettled,
  });
  return (
    <Button
      icon={resolved ? <RotateCcw aria-hidden /> : <Check aria-hidden />}
      busy={change.isPending}
      onClick={change.start}
    >
      {resolved ? text.reopen : text.resolve}
    </Button>
  );
}
