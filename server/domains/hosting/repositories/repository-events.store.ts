/** Writes events of a repository, with the records that they show as they are now. */
import type { Transaction } from "../../../platform/db/database.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import { storableJson } from "../../../platform/storable-text.ts";
import { columns } from "./repositories.store.ts";
import type { RepositoryEventsRows } from "./repository-events.rows.ts";

export const statements = defineStatements<RepositoryEventsRows>({
  insertEvents: `
    insert into events (kind, action, repository_id, organization_id, repository, sender, subject)
    select e.kind, e.action, case when not e.for_owner then s.id end, case when s.owner_kind = 'org' then s.owner_id end, to_jsonb(s),
      user_snapshot($3::text), e.subject || case when e.user_id is null then '{}' else
        jsonb_build_object('user', user_snapshot(e.user_id)) end
    from (select ${columns} from repositories r join owners o on o.id = r.owner_id where r.id = $1) s,
      rows from (jsonb_to_recordset($2::jsonb) as (kind text, action text, subject jsonb, user_id text, for_owner boolean))
        with ordinality as e(kind, action, subject, user_id, for_owner, n)
    where (not e.for_owner or s.owner_kind = 'org') and ($4::text is null or s.owner_id = $4) order by e.n returning position`,
});

export interface NewRepositoryEvent {
  kind: string;
  action: string;
  subject: object;
  user_id: string | null;
  for_owner: boolean;
}

/** Their positions. */
export async function insertEvents(
  tx: Transaction,
  place: { repositoryId: string; senderId: string | null; ownerId?: string },
  events: readonly NewRepositoryEvent[],
): Promise<number[]> {
  const rows = await tx.query(statements.insertEvents, [
    place.repositoryId,
    storableJson(events),
    place.senderId,
    place.ownerId ?? null,
  ]);
  return rows.map(({ position }) => position);
}
