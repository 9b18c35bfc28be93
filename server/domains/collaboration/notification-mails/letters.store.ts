/** What a mail says, and whether whoever is to get it still may and wants to: asked when it is sent. */
import type { NotificationReason } from "@forgeline/schemas/notifications/resource.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import { levelSql } from "../../policy/domain.ts";
import { approvalRequested, awaitsApproval, endedBecause } from "../notifications/columns.store.ts";
import { addressSql } from "./address.store.ts";
import type { LettersRows } from "./letters.rows.ts";

interface Known {
  list: {
    /** Only reasons of the contract are written. */
    reason: NotificationReason;
    /** Never null. */
    is_own: boolean;
  };
}

const mayRead = `${levelSql({ repository: "r", user: "u.id", admin: "u.is_admin" })} is not null`;
const wantsMail = `case when m.reason = 'watching' then coalesce(s.mail_watching, true) else coalesce(s.mail_participating, true) end`;
// As `reasonToTell`: who mutes a conversation is told where they are named, assigned or asked.
const isHeard = `rs.level is distinct from 'muted'
  and (wi.state is distinct from 'muted' or m.reason in ('mention', 'assign', 'review_requested'))`;
// What somebody deleted meanwhile is told to nobody.
const isThere = "m.text_id is null or m.text_id = w.id or c.id is not null or v.id is not null";

// Somebody else may have decided, or the mail has waited for its digest.
const isAwaited = `(m.event <> '${approvalRequested}' or ${awaitsApproval}
  and ${levelSql({ repository: "r", user: "u.id", admin: "false" })} >= 'write')`;

export const statements = defineStatements<LettersRows, Known>({
  list: `
    select m.id, m.position, m.user_id, ${addressSql} as address, m.event, m.reason, m.work_item_id, w.kind, w.number, w.title,
      rn.owner, rn.name, a.username as actor, a.display_name as actor_name, c.thread_id, h.path, h.line, v.state as review_state,
      ${endedBecause("m.event", "m.created_at")} as ended_because, coalesce(m.actor_id = m.user_id, false) as is_own,
      case when m.text_id is null then '' else coalesce(c.body, v.body, w.body) end as body
    from notification_mails m join users u on u.id = m.user_id left join notification_settings s on s.user_id = u.id
      join work_items w on w.id = m.work_item_id join repositories r on r.id = w.repository_id
      join repository_names rn on rn.repository_id = r.id
      left join users a on a.id = m.actor_id
      left join comments c on c.id = m.text_id and not c.is_pending left join review_threads h on h.id = c.thread_id
      left join reviews v on v.id = m.text_id and v.state <> 'pending'
      left join repository_subscriptions rs on rs.repository_id = r.id and rs.user_id = u.id
      left join work_item_subscriptions wi on wi.work_item_id = w.id and wi.user_id = u.id
    where m.mail_id = $1 and not u.suspended and ${wantsMail} and ${isHeard} and (${isThere}) and ${isAwaited} and ${mayRead}
    order by m.position`,
});

export type LetterRow = RowOf<typeof statements.list>;

/** Of what one mail tells of, that which its reader may still be told. */
export function listLetters(tx: Transaction, mailId: string): Promise<LetterRow[]> {
  return tx.query(statements.list, [mailId]);
}
