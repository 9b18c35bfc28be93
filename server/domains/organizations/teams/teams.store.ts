/** Rows of `teams`. `path` and `lineage` of a team follow from its own name and its parent's. */
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import { countRows } from "../../../platform/db/count-rows.ts";
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { offsetOf } from "../../../platform/db/page.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import { secretSql, visibleSql } from "../../policy/domain.ts";
import type { TeamsRows } from "./teams.rows.ts";

const columns = `t.id, o.name as organization, t.name, t.path, t.lineage, t.description, ${secretSql("t")} as secret,
  t.created_at, t.updated_at`;
const joined = "teams t join owners o on o.id = t.organization_id";
const seen = `from ${joined} where t.organization_id = $1
  and ${visibleSql({ team: "t", user: "$2::text", owner: "$3::boolean" })}`;

export const statements = defineStatements<TeamsRows>({
  findTeam: `select ${columns} from ${joined} where t.id = $1`,
  findTeams: `select ${columns} from ${joined} where t.id = any($1)`,
  listTeams: `select ${columns} ${seen} order by string_to_array(lower(t.path), '/') limit $4 offset $5`,
  insertTeam: `
    insert into teams (id, organization_id, parent_id, name, path, lineage, description, visibility)
    values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict do nothing returning id`,
  updateSettings: `
    update teams set description = coalesce($2, description), visibility = coalesce($3, visibility),
      updated_at = now() where id = $1`,
  findOtherAt: "select id from teams where organization_id = $1 and lower(path) = lower($2) and id <> $3",
  deepestLevel: "select max(cardinality(lineage)) as deepest from teams where lineage @> array[$1]::text[]",
  renameTeam: "update teams set parent_id = $2, name = $3 where id = $1",
  moveTeams: `
    update teams set path = $2 || substr(path, $3::integer), lineage = $4::text[] || lineage[$5::integer:],
      updated_at = now() where lineage @> array[$1]::text[]`,
  deleteTeam: "delete from teams where lineage @> array[$1]::text[] returning id, path",
});

/** `secret`: itself or through a team above it. */
export type TeamRow = TeamsRows["findTeam"];

export interface TeamViewer {
  userId: string | null;
  isOwner: boolean;
}

export function findTeam(db: Queryable, id: string): Promise<TeamRow | undefined> {
  return db.one(statements.findTeam, [id]);
}

export function findTeams(db: Queryable, ids: readonly string[]): Promise<TeamRow[]> {
  return db.query(statements.findTeams, [ids]);
}

/** By path, so that each team comes after its parent. */
export async function listTeams(
  db: Queryable,
  { organizationId, viewer, page }: { organizationId: string; viewer: TeamViewer; page: PageQuery },
): Promise<{ rows: TeamRow[]; total: number }> {
  const params = [organizationId, viewer.userId, viewer.isOwner];
  const rows = await db.query(statements.listTeams, [...params, page.per_page, offsetOf(page)]);
  return { rows, total: await countRows(db, seen, params) };
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
  const row = await tx.one(statements.insertTeam, [
    team.id,
    team.organizationId,
    team.parent?.id ?? null,
    team.name,
    path,
    [...(team.parent?.lineage ?? []), team.id],
    team.description,
    team.visibility,
  ]);
  return row !== undefined;
}

export async function updateSettings(
  tx: Transaction,
  id: string,
  change: { description?: string | undefined; visibility?: string | undefined },
): Promise<void> {
  await tx.query(statements.updateSettings, [id, change.description ?? null, change.visibility ?? null]);
}

export async function pathIsTaken(
  tx: Transaction,
  wanted: { organizationId: string; path: string; by: string },
): Promise<boolean> {
  const row = await tx.one(statements.findOtherAt, [wanted.organizationId, wanted.path, wanted.by]);
  return row !== undefined;
}

/** How many levels the team and its nested teams have. */
export async function heightOf(tx: Transaction, team: Pick<TeamRow, "id" | "lineage">): Promise<number> {
  const row = await tx.one(statements.deepestLevel, [team.id]);
  return (row?.deepest ?? team.lineage.length) - team.lineage.length + 1;
}

/** Renames the team and moves it below `parent`, with all its nested teams. */
export async function placeTeam(
  tx: Transaction,
  team: TeamRow,
  place: { parent: { id: string; lineage: string[] } | null; name: string; path: string },
): Promise<void> {
  await tx.query(statements.renameTeam, [team.id, place.parent?.id ?? null, place.name]);
  await tx.query(statements.moveTeams, [
    team.id,
    place.path,
    team.path.length + 1,
    place.parent?.lineage ?? [],
    team.lineage.length,
  ]);
}

/** Deletes the team and all teams nested in it; returns them. */
export function deleteTeam(tx: Transaction, id: string): Promise<{ id: string; path: string }[]> {
  return tx.query(statements.deleteTeam, [id]);
}
