/**
 * Tells people of what happened: each exactly once, in batches, whatever dies in between (`docs/architecture/notifications.md`).
 */
import type { NotificationReason } from "@forgeline/schemas/notifications/resource.ts";
import type { Database, Transaction } from "../../../platform/db/database.ts";
import { newId } from "../../../platform/ids.ts";
import type { Logger } from "../../../platform/logger.ts";
import type { PlanMails } from "../notification-mails/plan-mails.ts";
import { listApprovers } from "./awaiting.store.ts";
import { approvalRequested } from "./columns.store.ts";
import type { RouteTeams } from "../team-routing/route-news.ts";
import type { NotificationMetrics } from "./metrics.ts";
import * as store from "./telling.store.ts";
import { takeNews, type RecordedNews } from "./take-news.ts";
import { reasonToTell } from "./who-is-told.ts";

export interface NotificationTeller {
  /** In the transaction that reads the events. */
  take(tx: Transaction, news: readonly RecordedNews[]): Promise<void>;
  /** Tells until nothing is due or the signal is aborted. Safe to run several times, and at once. */
  tellDue(signal: AbortSignal): Promise<void>;
}

export interface NotificationTellerDeps {
  db: Database;
  logger: Logger;
  metrics: NotificationMetrics;
  planMails: PlanMails;
  routeTeams: RouteTeams;
  /** People who are told in one transaction. */
  batch?: number;
}

const longestWaitSeconds = 60 * 60;

export function createNotificationTeller(deps: NotificationTellerDeps): NotificationTeller {
  const { db, logger, metrics } = deps;

  /** One batch; undefined if nothing is due. */
  async function tellNext(): Promise<NotificationReason[] | undefined> {
    let due: store.DueTelling | undefined;
    try {
      return await db.transaction(async (tx) => {
        due = await tx.one(store.statements.takeDue, []);
        return due && tellBatch(tx, due, deps);
      });
    } catch (error) {
      if (!due) throw error;
      const { position, attempts } = due;
      logger.warn({ error: (error as Error).message, position }, "could not tell of an event; it waits");
      const seconds = Math.min(longestWaitSeconds, 2 ** Math.min(attempts, 12));
      await db.query(store.statements.postpone, [position, seconds]);
      return [];
    }
  }

  return {
    take: (tx, news) => takeNews(tx, news, deps.routeTeams),
    async tellDue(signal) {
      while (!signal.aborted) {
        const told = await tellNext();
        if (!told) return;
        for (const reason of told) metrics.told(reason);
      }
    },
  };
}

async function tellBatch(
  tx: Transaction,
  due: store.DueTelling,
  { planMails, batch = 500 }: NotificationTellerDeps,
): Promise<NotificationReason[]> {
  const { position } = due;
  const { told, last } = await choose(tx, due, batch);
  await store.tell(tx, position, told);
  await planMails(
    tx,
    position,
    told.filter(({ repeated }) => !repeated),
  );
  const mentioned = told.filter(({ reason }) => reason === "mention").map(({ user_id: id }) => id);
  if (mentioned.length > 0) await tx.query(store.statements.subscribeMentioned, [position, mentioned]);
  if (last !== undefined) await tx.query(store.statements.moveOn, [position, last]);
  else await tx.query(store.statements.end, [position]);
  return told.map(({ reason }) => reason);
}

/** `last`: of a batch after which more may come. */
async function choose(
  tx: Transaction,
  due: store.DueTelling,
  batch: number,
): Promise<{ told: store.Told[]; last: string | undefined }> {
  if (due.event === approvalRequested) return { told: await chooseApprovers(tx, due), last: undefined };
  const people = await store.listPeople(tx, due.position, batch);
  const told = people.flatMap((person) => {
    const reason = reasonToTell(person, due);
    const asked = person.newly_asked || person.team_asked;
    return reason ? [{ id: newId("ntf"), user_id: person.user_id, reason, asked, repeated: false }] : [];
  });
  return { told, last: people.length === batch ? people.at(-1)?.user_id : undefined };
}

/** Whoever proposes it may push as often as they like. */
async function chooseApprovers(tx: Transaction, { position }: store.DueTelling): Promise<store.Told[]> {
  const able = await listApprovers(tx, position);
  return able.map(({ user_id: userId, is_waiting: repeated }) => ({
    id: newId("ntf"),
    user_id: userId,
    reason: "approval_requested",
    asked: false,
    repeated,
  }));
}
