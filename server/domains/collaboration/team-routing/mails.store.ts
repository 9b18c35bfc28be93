/** Mails to shared addresses of teams: what waits, what is put together, and what may still be said when it is sent. */
import type { TeamReason } from "@forgeline/schemas/team-routing/resource.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import { teamReadsSql } from "../../policy/domain.ts";
import type { MailsRows } from "./mails.rows.ts";
import { vouchedSql } from "./vouched.store.ts";

/** Mails that one transaction puts together. */
const maxLetters = 100;
/** Events in one digest; the rest comes in another one. */
const maxInDigest = 200;

interface Known {
  /** A function of PostgreSQL gives it. */
  claim: { claimed: boolean };
  /** Only reasons of the contract are written. */
  letters: { reason: TeamReason };
}

// What somebody deleted meanwhile is told to nobody.
const isThere = `m.text_id is null or m.text_id = w.id or exists (select 1 from comments c where c.id = m.text_id and not c.is_pending)
  or exists (select 1 from reviews v where v.id = m.text_id and v.state <> 'pending')`;
const isWanted = `g.address is not null and g.address_state = 'confirmed' and ${vouchedSql({ team: "t", routing: "g" })}`;

export const statements = defineStatements<MailsRows, Known>({
  // Until the transaction ends: two servers would make two digests of what is one.
  claim: "select pg_try_advisory_xact_lock(hashtext('team_mails')) as claimed",
  dueSingles: `
    select m.id, m.team_id from team_mails m
    where m.mail_id is null and not m.in_digest and m.due_at <= now() order by m.due_at, m.id limit ${maxLetters}`,
  dueDigests: `
    select of_one.id, of_one.team_id
    from (select m.team_id from team_mails m where m.mail_id is null and m.in_digest and m.due_at <= now()
        group by m.team_id order by min(m.due_at) limit ${maxLetters}) teams
      cross join lateral (select m.id, m.team_id from team_mails m
        where m.team_id = teams.team_id and m.mail_id is null and m.in_digest and m.due_at <= now()
        order by m.due_at, m.id limit ${maxInDigest}) of_one`,
  headOf: `
    select g.address, rn.owner, rn.name, w.kind, w.number, w.title
    from team_mails m join team_routings g on g.team_id = m.team_id join teams t on t.id = m.team_id
      join work_items w on w.id = m.work_item_id join repository_names rn on rn.repository_id = w.repository_id
    where m.id = $1 and ${isWanted}`,
  assign: "update team_mails set mail_id = $1 where id = any ($2::bigint[])",
  remove: "delete from team_mails where id = any ($1::bigint[])",
  removeDue: "delete from team_mails where mail_id is null and due_at <= now()",
  // Also what is in the queue of mails: nothing is left of it when it is to be written.
  removeAll: "delete from team_mails where team_id = $1",
  delay: `
    update team_mails set due_at = $2::timestamptz, in_digest = in_digest or $3::boolean where team_id = $1 and mail_id is null`,
  letters: `
    select m.position, m.team_id, m.work_item_id, m.event, m.reason, g.address, w.kind, w.number, w.title, rn.owner, rn.name,
      a.username as actor, a.display_name as actor_name
    from team_mails m join team_routings g on g.team_id = m.team_id join teams t on t.id = m.team_id
      join work_items w on w.id = m.work_item_id join repositories r on r.id = w.repository_id
      join repository_names rn on rn.repository_id = r.id left join users a on a.id = m.actor_id
    where m.mail_id = $1 and ${isWanted} and (${isThere})
      and ${teamReadsSql({ team: "t", repository: "r" })}
    order by m.position`,
});

export type TeamLetterRow = RowOf<typeof statements.letters>;
export type DueTeamMail = RowOf<typeof statements.dueSingles>;

/** Each inner list becomes one mail. */
export async function listDue(tx: Transaction): Promise<DueTeamMail[][]> {
  const singles = await tx.query(statements.dueSingles, []);
  if (singles.length > 0) return singles.map((row) => [row]);
  const rows = await tx.query(statements.dueDigests, []);
  return [...Map.groupBy(rows, ({ team_id: teamId }) => teamId).values()];
}

/** What was meant for an address is sent to no other, and not to one that wants nothing. */
export async function removeAll(tx: Transaction, teamId: string): Promise<void> {
  await tx.query(statements.removeAll, [teamId]);
}

/** What waits for the team's address is sent then. */
export async function delayWaiting(
  tx: Transaction,
  teamId: string,
  { at, inDigest }: { at: Date; inDigest: boolean },
): Promise<void> {
  await tx.query(statements.delay, [teamId, at, inDigest]);
}

/** Of what one mail tells of, that which may still be told: the team reads it, and the address is confirmed. */
export function listLetters(tx: Transaction, mailId: string): Promise<TeamLetterRow[]> {
  return tx.query(statements.letters, [mailId]);
}
