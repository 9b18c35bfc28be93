/** What decides where news of teams go, and the mails that come of it. */
import type { TeamReason } from "@forgeline/schemas/team-routing/resource.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import { teamReadsSql } from "../../policy/domain.ts";
import type { NewsRows } from "./news.rows.ts";
import { vouchedSql } from "./vouched.store.ts";

interface Known {
  /** Conditions of columns that are never null. */
  listFacts: {
    may_read: boolean;
    in_organization: boolean;
    address_confirmed: boolean;
    has_webhook: boolean;
  };
}

export const statements = defineStatements<NewsRows, Known>({
  listFacts: `
    select t.id as team_id, t.path, n.full_name as team, g.rules, g.address, g.digest, g.digest_at, g.time_zone, g.quiet_from, g.quiet_to,
      g.quiet_days, r.id as repository_id, r.owner_id, w.kind, w.number, w.title, ${teamReadsSql({ team: "t", repository: "r" })} as may_read,
      r.owner_id = t.organization_id as in_organization,
      g.address is not null and g.address_state = 'confirmed' and ${vouchedSql({ team: "t", routing: "g" })} as address_confirmed,
      exists (select 1 from webhooks h where h.organization_id = t.organization_id and h.active and h.deleted_at is null
        and 'team_notification' = any (h.event_kinds)) as has_webhook
    from team_routings g join teams t on t.id = g.team_id join team_names n on n.team_id = t.id
      join work_items w on w.id = $1 join repositories r on r.id = w.repository_id
    where t.id = any ($2::text[]) order by t.id`,
  insertMails: `
    insert into team_mails (position, team_id, work_item_id, actor_id, event, text_id, reason, due_at, in_digest)
    select m.position, m.team_id, w.id, u.id, m.event, m.text_id, m.reason, m.due_at, m.in_digest
    from jsonb_to_recordset($1::jsonb) as m (position bigint, team_id text, item_id text, actor_id text, event text, text_id text,
        reason text, due_at timestamptz, in_digest boolean)
      join work_items w on w.id = m.item_id left join users u on u.id = m.actor_id
    on conflict do nothing`,
  // As often as a person is told of it: code owners come back as the changes do, with nobody's doing.
  noteAsked: `
    insert into team_review_tellings as known (team_id, work_item_id)
    select t.id, w.id from teams t join work_items w on w.id = $1 where t.id = any ($2::text[]) order by t.id
    on conflict (team_id, work_item_id) do update set told_at = now()
      where known.told_at <= now() - case when $3::boolean then interval '10 minutes' else interval '1 day' end
    returning team_id`,
});

export type FactsRow = RowOf<typeof statements.listFacts>;

/** Of those of the teams that chose something. */
export function listFacts(tx: Transaction, itemId: string, teamIds: readonly string[]): Promise<FactsRow[]> {
  return tx.query(statements.listFacts, [itemId, teamIds]);
}

export interface NewTeamMail {
  position: number;
  team_id: string;
  item_id: string;
  actor_id: string | null;
  event: string;
  text_id: string;
  reason: TeamReason;
  due_at: string;
  in_digest: boolean;
}

export async function insertMails(tx: Transaction, mails: readonly NewTeamMail[]): Promise<void> {
  await tx.query(statements.insertMails, [JSON.stringify(mails)]);
}

/** Of the teams, those that were not told of it lately; they count as told now. `byHand`: somebody asks, and not the code owners. */
export async function noteAsked(
  tx: Transaction,
  itemId: string,
  { teamIds, byHand }: { teamIds: readonly string[]; byHand: boolean },
): Promise<ReadonlySet<string>> {
  if (teamIds.length === 0) return new Set();
  const rows = await tx.query(statements.noteAsked, [itemId, teamIds, byHand]);
  return new Set(rows.map(({ team_id: id }) => id));
}
