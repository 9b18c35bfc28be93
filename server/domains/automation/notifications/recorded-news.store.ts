/** Events of issues, merge requests and comments, as those who tell people of them need them. */
import type { Transaction } from "../../../platform/db/database.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import type { RecordedNews } from "../../collaboration/domain.ts";
import type { RecordedNewsRows } from "./recorded-news.rows.ts";

interface Known {
  /** As the domain that records them writes them. */
  readNews: {
    kind: string;
    action: string;
    item_id: string;
    text_id: string;
    body: string;
    assignee_ids: string[] | null;
    reviewer_ids: string[] | null;
    /** Lists that are never null, and of a merge request its states. */
    asked_user_ids: string[];
    asked_team_ids: string[];
    asker_ids: string[];
    state: "open" | "closed" | "merged" | null;
  };
}

/** Kinds of events of which people are told. */
export const kinds = ["issue", "merge_request", "merge_request_review", "comment"] as const;

/** Null where the record has no such list. */
const idsOf = (list: string) =>
  `case when s.record ? '${list}' then array(select a ->> 'id' from jsonb_array_elements(s.record -> '${list}') a) end`;

const textsOf = (place: string) =>
  `array(select x from jsonb_array_elements_text(coalesce(e.subject #> '{${place}}', '[]')) x)`;
/** Whoever had queued what ends is not named apart; in a merge by the queue that is the sender. */
const queuer = `case when e.action in ('closed', 'merged')
      then nullif(e.subject #>> '{merge_request,merge_queue,queued_by,id}', e.sender ->> 'id') end`;

export const statements = defineStatements<RecordedNewsRows, Known>({
  readNews: `
    select e.position, s.kind, s.action, e.sender ->> 'id' as sender_id,
      coalesce(s.record ->> 'work_item_id', s.record ->> 'merge_request_id', s.record ->> 'id') as item_id,
      s.record ->> 'id' as text_id, s.record ->> 'body' as body, ${idsOf("assignees")} as assignee_ids, ${idsOf("reviewers")} as reviewer_ids,
      ${textsOf("requested,users")} as asked_user_ids, ${textsOf("requested,teams")} as asked_team_ids,
      array_remove(${textsOf("asked_by")} || ${queuer}, null) as asker_ids, e.subject ->> 'reason' as ended, s.record ->> 'state' as state
    from events e cross join lateral (
      select e.kind, e.action, e.subject -> (case e.kind when 'merge_request_review' then 'review' else e.kind end) as record
      union all select 'merge_request', 'noted', e.subject -> 'merge_request' where e.kind = 'merge_request_review') s
    where e.position = any ($1::bigint[]) and e.kind in (${kinds.map((kind) => `'${kind}'`).join(", ")})
    order by e.position, s.action desc`,
});

/** Those at these positions, in their order. */
export async function readNews(tx: Transaction, positions: readonly number[]): Promise<RecordedNews[]> {
  const rows = await tx.query(statements.readNews, [positions]);
  return rows.map(({ sender_id: senderId, item_id: itemId, text_id: textId, ...row }) => ({
    position: row.position,
    kind: row.kind,
    action: row.action,
    body: row.body,
    senderId,
    itemId,
    textId,
    assigneeIds: row.assignee_ids,
    reviewerIds: row.reviewer_ids,
    askedUserIds: row.asked_user_ids,
    askedTeamIds: row.asked_team_ids,
    askerIds: row.asker_ids,
    ended: row.ended,
    state: row.state,
  }));
}
