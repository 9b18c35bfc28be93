/** Sends what concerns teams where they chose; who is left is told as each of their members is (`docs/architecture/notifications.md`). */
import type { TeamReason } from "@forgeline/schemas/team-routing/resource.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import { recordRepositoryEvents } from "../../hosting/domain.ts";
import { dueTime } from "../notification-mails/due-time.ts";
import { decideTarget } from "./decide-target.ts";
import { insertMails, listFacts, type FactsRow } from "./news.store.ts";
import type { TeamNewsSubject } from "./present-event.ts";

export interface TeamNews {
  /** Of the event. */
  position: number;
  itemId: string;
  textId: string;
  senderId: string | null;
  event: string;
  reason: TeamReason;
}

/** In the transaction that takes the event, so that each is routed exactly once. The teams whose members are told. */
export type RouteTeams = (tx: Transaction, news: TeamNews, teamIds: readonly string[]) => Promise<string[]>;

export const routeTeams: RouteTeams = async (tx, news, teamIds) => {
  if (teamIds.length === 0) return [];
  const facts = await listFacts(tx, news.itemId, teamIds);
  const targets = facts.map((row) => ({ row, to: decideTarget(row, news.reason) }));
  const at = (wanted: string) => targets.flatMap(({ row, to }) => (to === wanted ? [row] : []));
  await mail(tx, news, at("address"));
  await recordEvents(tx, news, at("webhook"));
  const elsewhere = new Set(targets.flatMap(({ row, to }) => (to === "members" ? [] : [row.team_id])));
  return teamIds.filter((id) => !elsewhere.has(id));
};

async function mail(tx: Transaction, news: TeamNews, teams: readonly FactsRow[]): Promise<void> {
  // Several teams may share one address, which gets one mail.
  const byAddress = new Map(teams.map((row) => [row.address?.toLowerCase(), row]));
  if (byAddress.size === 0) return;
  const nowMs = Date.now();
  const mails = [...byAddress.values()].map((row) => {
    const { atMs, inDigest } = dueTime(row, nowMs);
    return {
      position: news.position,
      team_id: row.team_id,
      item_id: news.itemId,
      actor_id: news.senderId,
      event: news.event,
      text_id: news.textId,
      reason: news.reason,
      due_at: new Date(atMs).toISOString(),
      in_digest: inDigest,
    };
  });
  await insertMails(tx, mails);
  await tx.notify("mail", "");
}

const actions = { team_mention: "mentioned", review_requested: "review_requested" } as const;

/** For webhooks of the organization alone: those of a repository would reveal a secret team. */
async function recordEvents(tx: Transaction, news: TeamNews, teams: readonly FactsRow[]): Promise<void> {
  const [first] = teams;
  if (!first) return;
  const place = { repositoryId: first.repository_id, senderId: news.senderId };
  const events = teams.map(({ team_id: id, team: name, kind, number, title }) => {
    const subject: TeamNewsSubject = { team: { id, full_name: name }, on: { kind, number, title } };
    return { kind: "team_notification", action: actions[news.reason], subject, forOwner: true } as const;
  });
  await recordRepositoryEvents(tx, place, events);
}
