/** Events of repositories (`docs/architecture/events.md`): the one way to record them, in the transaction of the change. */
import type { RepositoryEvent } from "@forgeline/schemas/events/event-kind.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import { AppError } from "../../../platform/app-error.ts";
import { insertEvents } from "./repository-events.store.ts";

export type NewEvent = RepositoryEvent & {
  /** Shown as `user` in the subject. */
  userId?: string;
  /** For followers of the owner alone, not of the repository. */
  forOwner?: true;
};

export interface EventPlace {
  repositoryId: string;
  /** The user who caused it; null for the system. */
  senderId: string | null;
  /** Nothing is recorded when the repository belongs to another owner by now. */
  ownerId?: string;
}

/** In their order, in one statement; how many. Nothing is recorded for a repository that does not exist. */
export async function recordRepositoryEvents(
  tx: Transaction,
  place: EventPlace,
  events: readonly NewEvent[],
): Promise<number> {
  if (events.length === 0) return 0;
  const rows = events.map(({ kind, action, subject, userId, forOwner }) => ({
    kind,
    action,
    subject,
    user_id: userId ?? null,
    for_owner: forOwner ?? false,
  }));
  const positions = await insertEvents(tx, place, rows);
  await tx.notify("event", "");
  return positions.length;
}

/** For one webhook alone, which no other follower is told of; its position. Throws `not_found`. */
export async function recordRepositoryPing(
  tx: Transaction,
  place: EventPlace,
  subject: object,
): Promise<number> {
  const ping = { kind: "ping", action: "requested", subject, user_id: null, for_owner: false };
  const [position] = await insertEvents(tx, place, [ping]);
  if (position === undefined) throw new AppError("not_found");
  return position;
}
