/** What was said and done below a description, oldest first. */
import type { ReactNode } from "react";
import { text } from "../../text/work-items.ts";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import type { MarkdownPlace } from "../markdown/targets.ts";
import { CommentCard } from "./comment-card.tsx";
import styles from "./conversation.module.css";
import type { Entry } from "./merge-by-time.ts";
import { TimelineLine } from "./timeline-line.tsx";
import { useConversation, useLinkedComment } from "./use-conversation.ts";
import type { Person, WorkItemCalls } from "./work-item.ts";

export interface ConversationProps {
  calls: WorkItemCalls;
  place: MarkdownPlace;
  itemAuthor: Person | null;
  /** Undefined for those who may not comment. */
  onQuote?: ((body: string) => void) | undefined;
  /** What the page draws in its own way. Undefined: as usual; null: not here. */
  draw?: ((entry: Entry) => ReactNode) | undefined;
  /** What `draw` needs is not there yet. */
  waits?: boolean;
}

export function Conversation({ calls, waits = false, ...rest }: ConversationProps) {
  const conversation = useConversation(calls, waits);
  const linked = useLinkedComment(conversation);
  return (
    <QueryView query={{ data: conversation.entries, error: conversation.error as Error | null }}>
      {(entries) => (
        <section className={styles.conversation} aria-label={text.conversation}>
          {entries.map((entry) => (
            <Line key={keyOf(entry)} entry={entry} targetId={linked.id} {...rest} />
          ))}
          {conversation.hasMore ? (
            <div>
              <Button busy={conversation.isFetchingMore} onClick={conversation.fetchMore}>
                {text.loadMore}
              </Button>
            </div>
          ) : null}
          {linked.isGone ? <Notice tone="warn">{text.commentGone}</Notice> : null}
        </section>
      )}
    </QueryView>
  );
}

function Line(props: Omit<ConversationProps, "calls" | "waits"> & { entry: Entry; targetId: string | null }) {
  const { entry, targetId, draw, ...rest } = props;
  const drawn = draw?.(entry);
  if (drawn !== undefined) return drawn;
  if (entry.kind === "event") return <TimelineLine event={entry.event} />;
  return <CommentCard comment={entry.comment} isTarget={entry.comment.id === targetId} {...rest} />;
}

function keyOf(entry: Entry): string {
  return entry.kind === "comment" ? entry.comment.id : `event ${entry.event.id}`;
}
