/** Sends what concerns teams where they chose; who is left is told as each of their members is (`docs/architecture/notifications.md`). */
import {
  teamReasons,
  type RoutingTarget,
  type TeamReason,
} from "@forgeline/schemas/team-routing/resource.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import { recordRepositoryEvents } from "../../hosting/domain.ts";
import type { Operation } from "../../operation/domain.ts";
import { dueTime } from "../notification-mails/due-time.ts";
import { decideTarget } from "./decide-target.ts";
import { insertMails, listFacts, noteAsked, type FactsRow } from "./news.store.ts";
import type { TeamNewsSubject } from "./present.ts";

export interface TeamNews {
  /** Of the event. */
  position: number;
  itemId: string;
  textId: string;
  senderId: string | null;
  event: string;
}

/** Teams by the reason for which they are told. */
export type TeamsByReason = Record<TeamReason, readonly string[]>;

/**
 * In the transaction that takes the event, so that each is routed exactly once. The teams whose members are told. A team that two
 * reasons send to the same place is told there once.
 */
export type RouteTeams = (tx: Transaction, news: TeamNews, teams: TeamsByReason) => Promise<TeamsByReason>;

type AddressedNews = Pick<Routed, "reason"> & {
  row: Parameters<typeof dueTime>[0] & Pick<FactsRow, "address">;
};

interface Routed {
  row: FactsRow;
  reason: TeamReason;
  to: RoutingTarget;
}

/** Without a mail server no address can be told. */
export function createRouteTeams({ sends }: Pick<Operation["mail"], "sends">): RouteTeams {
  return (tx, news, teams) => routeTeams(tx, news, { teams, sends });
}

async function routeTeams(
  tx: Transaction,
  news: TeamNews,
  { teams, sends }: { teams: TeamsByReason; sends: boolean },
): Promise<TeamsByReason> {
  const ids = [...new Set(Object.values(teams).flat())];
  if (ids.length === 0) return teams;
  const facts = await listFacts(tx, news.itemId, ids);
  const targetOf = (row: FactsRow, reason: TeamReason) =>
    decideTarget({ ...row, address_confirmed: sends && row.address_confirmed }, reason);
  const routed = teamReasons.flatMap((reason) =>
    facts
      .filter(({ team_id: id }) => teams[reason].includes(id))
      .map((row): Routed => ({ row, reason, to: targetOf(row, reason) })),
  );
  const told = await leaveOutToldLately(tx, news, routed);
  await mail(tx, news, firstOfEach(told, "address"));
  const isRecorded = await recordEvents(tx, news, firstOfEach(told, "webhook"));
  const isMembers = (to: RoutingTarget) => to === "members" || (to === "webhook" && !isRecorded);
  const toMembers = (reason: TeamReason) =>
    teams[reason].filter((id) =>
      routed.every((one) => one.row.team_id !== id || one.reason !== reason || isMembers(one.to)),
    );
  return { team_mention: toMembers("team_mention"), review_requested: toMembers("review_requested") };
}

const isElsewhere = ({ to }: Routed) => to === "address" || to === "webhook";

/** Members are asked who was told lately one by one; a place of the team is told no more often than they are. */
async function leaveOutToldLately(
  tx: Transaction,
  { itemId, senderId }: TeamNews,
  routed: readonly Routed[],
): Promise<Routed[]> {
  const asked = routed.filter((one) => one.reason === "review_requested" && isElsewhere(one));
  const teamIds = asked.map(({ row }) => row.team_id);
  const due = await noteAsked(tx, itemId, { teamIds, byHand: senderId !== null });
  return routed.filter((one) => !asked.includes(one) || due.has(one.row.team_id));
}

/** Of each team that is told there, the strongest reason. */
function firstOfEach(routed: readonly Routed[], place: RoutingTarget): Routed[] {
  const there = routed.filter(({ to }) => to === place);
  return [...Map.groupBy(there, ({ row }) => row.team_id).values()].flatMap(([first]) => first ?? []);
}

async function mail(tx: Transaction, news: TeamNews, routed: readonly Routed[]): Promise<void> {
  const wanted = onePerAddress(routed, Date.now());
  if (wanted.length === 0) return;
  const mails = wanted.map(({ row, reason, atMs, inDigest }) => ({
    position: news.position,
    team_id: row.team_id,
    item_id: news.itemId,
    actor_id: news.senderId,
    event: news.event,
    text_id: news.textId,
    reason,
    due_at: new Date(atMs).toISOString(),
    in_digest: inDigest,
  }));
  await insertMails(tx, mails);
  await tx.notify("mail", "");
}

/** Several teams may share one address, which gets one mail: as early as one of them wants it, for the strongest reason. */
export function onePerAddress<One extends AddressedNews>(routed: readonly One[], nowMs: number) {
  const timed = routed.map((one) => ({ ...one, ...dueTime(one.row, nowMs) }));
  return [...Map.groupBy(timed, ({ row }) => row.address?.toLowerCase()).values()].flatMap((group) => {
    const [first] = group.toSorted((one, other) => one.atMs - other.atMs);
    const reason = teamReasons.find((some) => group.some((one) => one.reason === some));
    return first && reason ? [{ ...first, reason }] : [];
  });
}

const actions = { team_mention: "mentioned", review_requested: "review_requested" } as const;

/**
 * For webhooks of the organization alone: those of a repository would reveal a secret team, as would those of another organization to
 * which the repository has gone at this moment. False: then nothing is recorded. True where there is nothing to record.
 */
async function recordEvents(tx: Transaction, news: TeamNews, routed: readonly Routed[]): Promise<boolean> {
  const [first] = routed;
  if (!first) return true;
  const { repository_id: repositoryId, owner_id: ownerId } = first.row;
  const place = { repositoryId, ownerId, senderId: news.senderId };
  const events = routed.map(({ row: { team_id: id, team: name, kind, number, title }, reason }) => {
    const subject: TeamNewsSubject = { team: { id, full_name: name }, on: { kind, number, title } };
    return { kind: "team_notification", action: actions[reason], subject, forOwner: true } as const;
  });
  return (await recordRepositoryEvents(tx, place, events)) > 0;
}
