/** Reads and writes rows of `attachments`. An id counts only together with its name and with who asks. */
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import { levelSql, visibleSql } from "../../policy/domain.ts";
import type { AttachmentsRows } from "./attachments.rows.ts";

const columns = "a.id, a.name, a.content_type, a.size_bytes, a.created_at";
/** Where its bytes are: they stay where they are when it goes to another repository. */
const bytes =
  "coalesce(a.bytes_place, a.repository_id, a.team_id) as place_id, coalesce(a.bytes_id, a.id) as bytes_id";
const level = levelSql({ repository: "r", user: "$3::text", admin: "$4::boolean" });
const ownsOrganization = `($7::boolean or exists (select 1 from organization_members oo
  where oo.organization_id = t.organization_id and oo.user_id = $6::text and oo.role = 'owner'))`;
const inOrganization = `($7::boolean
  or exists (select 1 from organization_members om where om.organization_id = t.organization_id and om.user_id = $6::text)
  or exists (select 1 from users b where b.id = $6::text and b.organization_id = t.organization_id))`;
/** As the board of the team decides who belongs to it. */
const inTeam = `exists (select 1 from team_members tm join teams n on n.id = tm.team_id
  where tm.user_id = $6::text and (n.lineage @> array[t.id] or (tm.role = 'maintainer' and tm.team_id = any (t.lineage))))`;
const seesTeam = visibleSql({ team: "t", user: "$6::text", owner: ownsOrganization });

/** Discussions note by themselves what they use. `except`: texts of this issue do not count. */
const mentionedSql = (except?: string) => {
  const other = (column: string) => (except === undefined ? "" : `and ${column} <> ${except}`);
  return `(a.repository_id is not null and (
      exists (select 1 from work_items w where w.repository_id = a.repository_id and strpos(w.body, a.id) > 0 ${other("w.id")})
      or exists (select 1 from comments c where c.repository_id = a.repository_id and strpos(c.body, a.id) > 0 ${other("c.work_item_id")})
      or exists (select 1 from reviews v where v.repository_id = a.repository_id and strpos(v.body, a.id) > 0)))`;
};
const mentioned = mentionedSql();

export const statements = defineStatements<AttachmentsRows>({
  // Others that upload to the same place wait until the transaction ends, so that its bound holds.
  lockPlace:
    "select 1 as held from (select pg_advisory_xact_lock(hashtextextended('attachments ' || $1, 0))) as l",
  sumOfPlace: `
    select coalesce(sum(size_bytes), 0)::bigint as bytes from attachments where repository_id = $1 or team_id = $2`,
  sumOfUploader: `
    select coalesce(sum(size_bytes), 0)::bigint as bytes, count(*)::int as count from attachments
    where uploader_id = $1 and created_at > now() - interval '1 day'`,
  insertAttachment: `
    insert into attachments (id, repository_id, team_id, uploader_id, name, content_type, size_bytes)
    values ($1, $2, $3, $4, $5, 'application/octet-stream', $6)`,
  noteStored: `
    update attachments a set stored_at = now(), size_bytes = $2, content_type = $3 where a.id = $1 returning ${columns}`,
  // Uploads of one person to several places wait for each other too. Always after the place, so that no two wait in a circle.
  lockUploader:
    "select 1 as held from (select pg_advisory_xact_lock(hashtextextended('attachments of ' || $1, 0))) as l",
  deleteAttachments: "delete from attachments where id = any ($1::text[])",
  findReadable: `
    select ${columns}, ${bytes} from attachments a
      left join repositories r on r.id = a.repository_id left join teams t on t.id = a.team_id
    where a.id = $1 and a.name = $2 and a.stored_at is not null and case when a.team_id is null
      then r.deleted_at is null and (r.visibility = 'public'
        or (($5::text[] is null or r.id = any ($5)) and ${level} is not null))
      else ${inOrganization} and ${seesTeam} and (a.open or ${ownsOrganization} or ${inTeam}) end`,
  // Together with its place, as the requests of its readers name it.
  findPlace: `
    select a.uploader_id, a.brought_by_id, a.size_bytes, a.repository_id, a.team_id, rn.full_name as repository, tn.full_name as team
    from attachments a left join repository_names rn on rn.repository_id = a.repository_id
      left join team_names tn on tn.team_id = a.team_id
    where a.id = $1`,
  // It may have gone to another place since rights were asked.
  deleteAttachment: `
    delete from attachments a
    where a.id = $1 and a.repository_id is not distinct from $2 and a.team_id is not distinct from $3 returning ${bytes}`,
  sumOfUploaderHere: `
    select coalesce(sum(size_bytes), 0)::bigint as bytes from attachments where repository_id = $1 and uploader_id = $2`,
  noteUsed: `
    update attachments set used_at = coalesce(used_at, now()), open = open or $3::boolean
    where team_id = $1 and id = any ($2::text[])`,
  // In one order, so that two texts that mention the same files do not wait for each other in a circle.
  noteMentioned: `
    update attachments a set used_at = now()
    from (select id from attachments where repository_id = $1 and id = any ($2::text[]) and used_at is null
      order by id for no key update) m
    where a.id = m.id`,
  listUnused: `
    select a.id, a.stored_at is not null as stored
    from attachments a where a.used_at is null and a.created_at < now() - interval '1 day' and a.id > $1
    order by a.id limit 100`,
  findMentioned: `select a.id from attachments a where a.id = any ($1::text[]) and ${mentioned}`,
  // What a text that is being saved mentions is left for the next time, and what one has come to mention meanwhile stays.
  deleteUnused: `
    delete from attachments a
    where a.id in (select f.id from attachments f where f.id = any ($1::text[]) and f.used_at is null for update skip locked)
      and not (a.stored_at is not null and ${mentioned})
    returning ${bytes}`,
  markUsed: "update attachments set used_at = now() where id = any ($1::text[]) and used_at is null",
  // Of bytes.
  listPresent: `
    select coalesce(bytes_id, id) as id from attachments where id = any ($1::text[]) or bytes_id = any ($1::text[])`,
  mentionedBy: `
    select distinct m.found[1] as id
    from (select body from work_items where id = $1 union all select body from comments where work_item_id = $1) t
    cross join lateral regexp_matches(t.body, '/attachments/(atm_[0-9a-hjkmnp-tv-z]{26})(?![0-9a-z])', 'g') as m (found)
    limit $2`,
  // What another text of the repository mentions too stays there.
  moveUnshared: `
    update attachments a set repository_id = $2, bytes_place = coalesce(a.bytes_place, a.repository_id), used_at = coalesce(a.used_at, now()),
      brought_by_id = $5
    where a.repository_id = $1 and a.id = any ($3::text[]) and not ${mentionedSql("$4::text")}
    returning a.id`,
  // The row is held, so that it is not deleted, and its bytes with it, before its copy is there.
  copyShared: `
    insert into attachments (id, repository_id, uploader_id, name, content_type, size_bytes, stored_at, used_at, created_at,
      bytes_place, bytes_id, brought_by_id)
    select x.new_id, $2, a.uploader_id, a.name, a.content_type, a.size_bytes, a.stored_at, now(), a.created_at,
      coalesce(a.bytes_place, a.repository_id), coalesce(a.bytes_id, a.id), $5
    from unnest($3::text[], $4::text[]) as x (old_id, new_id) join attachments a on a.id = x.old_id
    where a.repository_id = $1 and a.stored_at is not null
    for key share of a
    returning id`,
  // Held, so that none is deleted before its copy is there.
  holdOfTeam: `
    select id, size_bytes from attachments where team_id = $1 and id = any ($2::text[]) and stored_at is not null
    order by id for key share`,
  // A new file of whoever copies it.
  copyOfTeam: `
    insert into attachments (id, repository_id, uploader_id, name, content_type, size_bytes, stored_at, used_at, created_at,
      bytes_place, bytes_id)
    select x.new_id, $2, $5, a.name, a.content_type, a.size_bytes, a.stored_at, now(), now(),
      coalesce(a.bytes_place, a.team_id), coalesce(a.bytes_id, a.id)
    from unnest($3::text[], $4::text[]) as x (old_id, new_id) join attachments a on a.id = x.old_id
    where a.team_id = $1 and a.stored_at is not null
    returning id`,
});

export type AttachmentRow = Pick<
  AttachmentsRows["findReadable"],
  "id" | "name" | "content_type" | "size_bytes" | "created_at"
>;
export type ReadableRow = AttachmentsRows["findReadable"];
export type UnusedRow = AttachmentsRows["listUnused"];

export interface Place {
  repositoryId: string | null;
  teamId: string | null;
}

export interface NewAttachment extends Place {
  id: string;
  uploaderId: string;
  name: string;
  /** As many as it may become. */
  sizeBytes: number;
}

export async function insertAttachment(tx: Transaction, wanted: NewAttachment): Promise<void> {
  const { id, repositoryId, teamId, uploaderId, name, sizeBytes } = wanted;
  await tx.query(statements.insertAttachment, [id, repositoryId, teamId, uploaderId, name, sizeBytes]);
}

/** What the credential of a reader lets them see as themselves; null: only what everyone sees. */
export interface Reader {
  inRepositories: { userId: string | null; isAdmin: boolean; only: readonly string[] | null };
  inTeams: { userId: string | null; isAdmin: boolean };
}

export function findReadable(
  db: Queryable,
  { id, name }: { id: string; name: string },
  { inRepositories, inTeams }: Reader,
): Promise<ReadableRow | undefined> {
  return db.one(statements.findReadable, [
    id,
    name,
    inRepositories.userId,
    inRepositories.isAdmin,
    inRepositories.only,
    inTeams.userId,
    inTeams.isAdmin,
  ]);
}
