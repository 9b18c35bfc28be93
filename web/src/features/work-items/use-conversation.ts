/** Comments and events of an item, fetched as far as somebody has asked for them or a link leads. */
import { useEffect, useRef } from "react";
import { useLocation } from "react-router";
import { usePages } from "../../api/use-pages.ts";
import { mergeByTime, type Entry } from "./merge-by-time.ts";
import type { WorkItemCalls } from "./work-item.ts";

export interface ShownConversation {
  /** Undefined until the first ones are there. */
  entries: Entry[] | undefined;
  error: unknown;
  hasMore: boolean;
  isFetchingMore: boolean;
  fetchMore: () => void;
}

/** `waits`: nothing is shown yet. */
export function useConversation(calls: WorkItemCalls, waits: boolean): ShownConversation {
  const comments = usePages([...calls.key, "comments"], calls.comments);
  const events = usePages([...calls.key, "timeline"], calls.timeline);
  const conversation = mergeByTime(
    { items: comments.data ?? [], hasMore: comments.hasMore },
    { items: events.data ?? [], hasMore: events.hasMore },
  );
  return {
    entries: comments.data && events.data && !waits ? conversation.entries : undefined,
    error: comments.error ?? events.error,
    hasMore: conversation.next !== undefined,
    isFetchingMore: comments.isFetchingMore || events.isFetchingMore,
    fetchMore: () => (conversation.next === "comments" ? comments : events).fetchMore(),
  };
}

/** The comment, thread or review that the address names, and whether it is known that there is none. Pages are fetched until it is there. */
export function useLinkedComment(conversation: ShownConversation): { id: string | null; isGone: boolean } {
  const { hash, key } = useLocation();
  const { entries, hasMore, isFetchingMore, fetchMore } = conversation;
  const id = /^#((?:cmt|thr|rev)_\w+)$/.exec(hash)?.[1] ?? null;
  const isThere = entries?.some((entry) => id !== null && idsOf(entry).includes(id)) ?? false;
  const isLooking = id !== null && entries !== undefined && !isThere && hasMore && !conversation.error;
  const scrolledFor = useRef<string>(undefined);
  useEffect(() => {
    if (isLooking && !isFetchingMore) fetchMore();
  }, [isLooking, isFetchingMore, fetchMore]);
  useEffect(() => {
    const visit = `${key} ${id}`;
    if (!isThere || id === null || scrolledFor.current === visit) return;
    scrolledFor.current = visit;
    document.getElementById(id)?.scrollIntoView({ block: "start" });
  }, [isThere, id, key]);
  return { id, isGone: id !== null && entries !== undefined && !isThere && !hasMore };
}

/** Those that addresses name. */
function idsOf(entry: Entry): (string | null | undefined)[] {
  return entry.kind === "comment" ? [entry.comment.id, entry.comment.thread_id] : [entry.event.review?.id];
}
