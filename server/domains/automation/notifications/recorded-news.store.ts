/** Events of issues, merge requests and comments, as those who tell people of them need them. */
import type { Transaction } from "../../../platform/db/database.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import type { RecordedNews } from "../../collaboration/domain.ts";
import type { RecordedNewsRows } from "./recorded-news.rows.ts";

interface Known {
  /** As the domain that records them writes them. */
  readNews: { item_id: string; text_id: string; body: string; assignee_ids: string[] | null };
}

export const statements = defineStatements<RecordedNewsRows, Known>({
  readNews: `
    select e.position, e.kind, e.action, e.sender ->> 'id' as sender_id,
      coalesce(s.record ->> 'work_item_id', s.record ->> 'id') as item_id, s.record ->> 'id' as text_id, s.record ->> 'body' as body,
      case when e.kind <> 'comment' then array(select a ->> 'id' from jsonb_array_elements(s.record -> 'assignees') a) end as assignee_ids
    from events e, lateral (select e.subject -> e.kind as record) s
    where e.position = any ($1::bigint[]) and e.kind in ('issue', 'merge_request', 'comment') order by e.position`,
});

/** Those at these positions, in their order. */
export async function readNews(tx: Transaction, positions: readonly number[]): Promise<RecordedNews[]> {
  const rows = await tx.query(statements.readNews, [positions]);
  return rows.map(({ sender_id: senderId, item_id: itemId, text_id: textId, assignee_ids, ...row }) => ({
    ...row,
    senderId,
    itemId,
    textId,
    assigneeIds: assignee_ids,
  }));
}
