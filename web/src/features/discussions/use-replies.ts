/** Replies to a discussion, fetched as far as somebody has asked for them or a link leads. */
import { useEffect, useRef } from "react";
import { useLocation } from "react-router";
import { api } from "../../api/client.ts";
import { usePages, type Pages } from "../../api/use-pages.ts";
import { one, useBoard, type Reply } from "./board.ts";

export function useReplies(number: number): Pages<Reply> {
  const board = useBoard();
  return usePages([one, board.org, board.team, String(number)], (query) =>
    api.GET(`${one}/replies`, { params: { path: { ...board, number }, query } }),
  );
}

export interface Thread {
  first: Reply;
  below: Reply[];
}

/** Each is followed by those below it; where the first one is gone, the next stands for itself. */
export function inThreads(replies: readonly Reply[]): Thread[] {
  const threads: Thread[] = [];
  for (const reply of replies) {
    const last = threads.at(-1);
    if (last && reply.reply_to === last.first.id) last.below.push(reply);
    else threads.push({ first: reply, below: [] });
  }
  return threads;
}

/** The reply that the address names, and whether it is known that there is none. Pages are fetched until it is there. */
export function useLinkedReply(replies: Pages<Reply>): { id: string | null; isGone: boolean } {
  const { hash, key } = useLocation();
  const { data, hasMore, isFetchingMore, fetchMore } = replies;
  const id = /^#(rply_\w+)$/.exec(hash)?.[1] ?? null;
  const isThere = data?.some((reply) => reply.id === id) ?? false;
  const isLooking = id !== null && data !== undefined && !isThere && hasMore && !replies.error;
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
  return { id, isGone: id !== null && data !== undefined && !isThere && !hasMore };
}
