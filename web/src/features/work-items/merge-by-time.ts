/** Comments and events of an item as one conversation, while each list comes in pages. */
import type { Comment, TimelineEvent } from "./work-item.ts";

export type Entry =
  | { kind: "comment"; at: string; comment: Comment }
  | { kind: "event"; at: string; event: TimelineEvent };

/** The beginning of a list, oldest first. */
export interface Fetched<T> {
  items: readonly T[];
  hasMore: boolean;
}

export interface Conversation {
  entries: Entry[];
  /** The list whose next page is needed to show more; undefined at the end. */
  next: "comments" | "events" | undefined;
}

/** Nothing is shown that something not fetched yet could precede. */
export function mergeByTime(comments: Fetched<Comment>, events: Fetched<TimelineEvent>): Conversation {
  const commentsUntil = knownUntil(comments);
  const eventsUntil = knownUntil(events);
  const until = commentsUntil < eventsUntil ? commentsUntil : eventsUntil;
  const entries: Entry[] = [
    ...comments.items.map((comment) => ({ kind: "comment" as const, at: comment.created_at, comment })),
    ...events.items.map((event) => ({ kind: "event" as const, at: event.created_at, event })),
  ];
  return {
    entries: entries.filter(({ at }) => at <= until).toSorted((a, b) => compare(a.at, b.at)),
    next: until === endOfTime ? undefined : until === commentsUntil ? "comments" : "events",
  };
}

/** After every time in ISO 8601. */
const endOfTime = "~";

function knownUntil({ items, hasMore }: Fetched<{ created_at: string }>): string {
  return hasMore ? (items.at(-1)?.created_at ?? "") : endOfTime;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
