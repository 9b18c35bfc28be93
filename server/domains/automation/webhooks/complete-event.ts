/**
 * The commits of a push are read from Git when somebody is told of it, and then kept with the event. Between two commits they
 * never change, so what is read later is what was pushed.
 */
import type { Database } from "../../../platform/db/database.ts";
import { setSubject } from "../../../platform/events/events.store.ts";
import { zeroId } from "../../../platform/git/refs/names.ts";
import type { PushedCommits } from "../../hosting/domain.ts";
import type { DeliveredEvent } from "./body.ts";

/** The same event with all that its body shows. */
export type CompleteEvent = <Event extends DeliveredEvent & { event_position: number }>(
  event: Event,
) => Promise<Event>;

export function createCompleteEvent(deps: { db: Database; pushedCommits: PushedCommits }): CompleteEvent {
  /** Several webhooks are usually told of the same push at once. */
  const reading = new Map<number, Promise<Record<string, unknown>>>();

  async function read({
    event_position: position,
    subject,
    repository,
  }: DeliveredEvent & { event_position: number }) {
    if (!repository) return subject;
    const { ref, before, after } = subject as { ref: string; before: string; after: string };
    const commits = await deps.pushedCommits(repository, { ref, before, after });
    const whole = { ...subject, ...commits };
    return (await setSubject(deps.db, position, whole)) ?? whole;
  }

  return async (event) => {
    const { kind, subject, event_position: position } = event;
    if (kind !== "push" || "commits" in subject || subject["after"] === zeroId) return event;
    const known = reading.get(position) ?? read(event).finally(() => reading.delete(position));
    reading.set(position, known);
    return { ...event, subject: await known };
  };
}
