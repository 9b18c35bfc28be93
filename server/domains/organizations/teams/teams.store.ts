/** Rows of `teams`. `path` and `lineage` of a team follow from its own name and its parent's. */
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import { countRows } from "../../../platform/db/count-rows.ts";
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { offsetOf } from "../../../platform/db/page.ts";
import { secretSql, visibleSql } from "../../policy/domain.ts";

export interface TeamRow {
  id: string;
  organization: string;
  name: string;
  path: string;
  lineage: string[];
  description: string;
  /** Of itself or by a team above. */
  secret: boolean;
  created_at: Date;
  updated_at: Date;
}

const columns = `t.id, o.name as organization, t.name, t.path, t.lineage, t.description, ${secretSql("t")} as secret,
  t.created_at, t.updated_at`;
const joined = "teams t join owners o on o.id = t.organization_id";

export interface TeamViewer {
  userId: string | null;
  isOwner: boolean;
}

export function findTeam(db: Queryable, id: string): Promise<TeamRow | undefined> {
  return db.one<TeamRow>(`select ${columns} from ${joined} where t.id = $1`, [id]);
}

export function findTeams(db: Queryable, ids: readonly string[]): Promise<TeamRow[]> {
  return db.query<TeamRow>(`select ${columns} from ${joined} where t.id = any($1)`, [ids]);
}

/** By path, so that each team comes after its parent. */
export async function listTeams(
  db: Queryable,
  { organizationId, viewer, page }: { organizationId: string; viewer: TeamViewer; page: PageQuery },
): Promise<{ rows: TeamRow[]; total: number }> {
  const from = `from ${joined} where t.organization_id = $1
    and ${visibleSql({ team: "t", user: "$2::text", owner: "$3::boolean" })}`;
  const params = [organizationId, viewer.userId, viewer.isOwner];
  const rows = await db.query<TeamRow>(
    `select ${columns} ${from} order by string_to_array(lower(t.path), '/') limit $4 offset $5`,
    [...params, page.per_page, offsetOf(page)],
  );
  return { rows, total: await countRows(db, from, params) };
}

export interface NewTeam {
  id: string;
  organizationId: string;
  parent: { id: string; path: string; lineage: string[] } | null;
  name: string;
  description: string;
  visibility: "visible" | "secret";
}

/** False when its parent has a team of that name. */
export async function insertTeam(tx: Transaction, team: NewTeam): Promise<boolean> {
  const path = team.parent ? `${team.parent.path}/${team.name}` : team.name;
  const row = await tx.one(
    `insert into teams (id, organization_id, parent_id, name, path, lineage, description, visibility)
     values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict do nothing returning id`,
    [
      team.id,
      team.organizationId,
      team.parent?.id ?? null,
      team.name,
      path,
      [...(team.parent?.lineage ?? []), team.id],
      team.description,
      team.visibility,
    ],
  );
  return row !== undefined;
}

export async function updateSettings(
  tx: Transaction,
  id: string,
  change: { description?: string | undefined; visibility?: string | undefined },
): Promise<void> {
  await tx.query(
    `update teams set description = coalesce($2, description), visibility = coalesce($3, visibility),
       updated_at = now() where id = $1`,
    [id, change.description ?? null, change.visibility ?? null],
  );
}

export async function pathIsTaken(
  tx: Transaction,
  wanted: { organizationId: string; path: string; by: string },
): Promise<boolean> {
  const row = await tx.one(
    `select id from teams where organization_id = $1 and lower(path) = lower($2) and id <> $3`,
    [wanted.organizationId, wanted.path, wanted.by],
  );
  return row !== undefined;
}

/** How many levels the team and what is nested in it have. */
export async function heightOf(tx: Transaction, team: Pick<TeamRow, "id" | "lineage">): Promise<number> {
  const row = await tx.one<{ deepest: number }>(
    `select max(cardinality(lineage)) as deepest from teams where lineage @> array[$1]::text[]`,
    [team.id],
  );
  return (row?.deepest ?? team.lineage.length) - team.lineage.length + 1;
}

/** Renames the team and hangs it, with all that is nested in it, below `parent`. */
export async function placeTeam(
  tx: Transaction,
  team: TeamRow,
  place: { parent: { id: string; lineage: string[] } | null; name: string; path: string },
): Promise<void> {
  await tx.query(`update teams set parent_id = $2, name = $3 where id = $1`, [
    team.id,
    place.parent?.id ?? null,
    place.name,
  ]);
  await tx.query(
    `update teams set path = $2 || substr(path, $3::integer), lineage = $4::text[] || lineage[$5::integer:],
       updated_at = now() where lineage @> array[$1]::text[]`,
    [team.id, place.path, team.path.length + 1, place.parent?.lineage ?? [], team.lineage.length],
  );
}

/** With all that is nested in it, which is what it gives. */
export function deleteTeam(tx: Transaction, id: string): Promise<{ id: string; path: string }[]> {
  return tx.query<{ id: string; path: string }>(
    `delete from teams where lineage @> array[$1]::text[] returning id, path`,
    [id],
  );
}
