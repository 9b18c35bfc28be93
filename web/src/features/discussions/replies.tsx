/** Replies to a discussion in threads, and the fields for new ones. */
import { useState } from "react";
import { text } from "../../text/discussions.ts";
import { text as items } from "../../text/work-items.ts";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import type { Discussion, Reply } from "./board.ts";
import styles from "./discussions.module.css";
import { ReplyCard } from "./reply-card.tsx";
import { ReplyForm } from "./reply-form.tsx";
import { inThreads, useLinkedReply, useReplies, type Thread } from "./use-replies.ts";

export function Replies({ discussion }: { discussion: Discussion }) {
  const replies = useReplies(discussion.number);
  const linked = useLinkedReply(replies);
  return (
    <QueryView query={{ data: replies.data, error: replies.error as Error | null }}>
      {(rows) => (
        <>
          <section className={styles.replies} aria-label={text.replyList}>
            {inThreads(rows).map((thread) => (
              <ThreadView key={thread.first.id} {...{ discussion, thread }} targetId={linked.id} />
            ))}
            {replies.hasMore ? (
              <div>
                <Button busy={replies.isFetchingMore} onClick={replies.fetchMore}>
                  {items.loadMore}
                </Button>
              </div>
            ) : null}
            {linked.isGone ? <Notice tone="warn">{text.replyGone}</Notice> : null}
          </section>
          <End discussion={discussion} />
        </>
      )}
    </QueryView>
  );
}

function End({ discussion }: { discussion: Discussion }) {
  if (discussion.viewer_may.reply)
    return <ReplyForm discussion={discussion} label={text.addReply} answered={null} />;
  return <Notice>{discussion.locked ? text.lockedForOthers : text.mayNot}</Notice>;
}

function ThreadView(props: { discussion: Discussion; thread: Thread; targetId: string | null }) {
  const { discussion, thread, targetId } = props;
  const { first, below } = thread;
  const [isReplying, setReplying] = useState(false);
  const mayReply = discussion.viewer_may.reply;
  const card = (reply: Reply) => (
    <ReplyCard key={reply.id} {...{ discussion, reply }} isTarget={reply.id === targetId} />
  );
  return (
    <div className={styles.thread}>
      {card(first)}
      {below.length === 0 && !mayReply ? null : (
        <div className={styles.below}>
          {below.map(card)}
          {isReplying ? (
            <ReplyForm
              discussion={discussion}
              label={text.replyTo(first.author?.username ?? items.deletedAccount)}
              answered={first.id}
              onClose={() => setReplying(false)}
            />
          ) : null}
          {mayReply && !isReplying ? (
            <div>
              <Button kind="quiet" onClick={() => setReplying(true)}>
                {text.replyHere}
              </Button>
            </div>
          ) : null}
        </div>
      )}
    </div>
  );
}
