/** Rows of `labels`. */
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import { countRows } from "../../../platform/db/count-rows.ts";
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { offsetOf } from "../../../platform/db/page.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import type { LabelsRows } from "./labels.rows.ts";

export type LabelRow = LabelsRows["findLabel"];

export interface LabelFields {
  name: string;
  color: string;
  description: string;
}

const names = ["id", "name", "color", "description", "created_at", "updated_at"];
const columns = names.join(", ");
const of = (table: string) => names.map((name) => `${table}.${name}`).join(", ");
const matching = `
  from labels where repository_id = $1
    and ($2::text is null or strpos(lower(name), lower($2)) > 0 or strpos(lower(description), lower($2)) > 0)`;

export const statements = defineStatements<LabelsRows>({
  listLabels: `select ${columns} ${matching} order by lower(name), id limit $3 offset $4`,
  findLabel: `select ${columns} from labels where repository_id = $1 and id = $2`,
  findByNames: `
    select w.wanted, ${of("l")} from unnest($2::text[]) as w (wanted)
    join labels l on l.repository_id = $1 and lower(l.name) = lower(w.wanted)
    order by lower(l.name) for key share of l`,
  holdRepository: "select id from repositories where id = $1 and deleted_at is null for no key update",
  countLabels: "select count(*)::int as count from labels where repository_id = $1",
  findRival: `select id from labels
    where repository_id = $1 and lower(normalize(name)) = lower(normalize($2)) and id <> $3`,
  insertLabel: `
    insert into labels (id, repository_id, name, color, description) values ($1, $2, $3, $4, $5) returning ${columns}`,
  updateLabel: `
    update labels set name = $3, color = $4, description = $5, updated_at = now()
    where repository_id = $1 and id = $2 returning ${columns}`,
  deleteLabel: "delete from labels where repository_id = $1 and id = $2 returning name",
});

/** By name. `q`: only those with this in their name or description. */
export async function listLabels(
  db: Queryable,
  repositoryId: string,
  { q, ...page }: PageQuery & { q?: string | undefined },
): Promise<{ rows: LabelRow[]; total: number }> {
  const wanted = [repositoryId, q ?? null];
  const [rows, total] = await Promise.all([
    db.query(statements.listLabels, [...wanted, page.per_page, offsetOf(page)]),
    countRows(db, matching, wanted),
  ]);
  return { rows, total };
}

export function findLabel(db: Queryable, repositoryId: string, id: string): Promise<LabelRow | undefined> {
  return db.one(statements.findLabel, [repositoryId, id]);
}

/** For each wanted name the label that there is, whatever the case. None is deleted until the transaction ends. */
export function findByNames(
  tx: Transaction,
  repositoryId: string,
  wanted: readonly string[],
): Promise<LabelsRows["findByNames"][]> {
  return tx.query(statements.findByNames, [repositoryId, wanted]);
}

/** Until the transaction ends, so that names stay free and nobody passes the most; false where it is gone. */
export async function holdRepository(tx: Transaction, repositoryId: string): Promise<boolean> {
  return (await tx.one(statements.holdRepository, [repositoryId])) !== undefined;
}

export async function countLabels(tx: Transaction, repositoryId: string): Promise<number> {
  return (await tx.one(statements.countLabels, [repositoryId]))?.count ?? 0;
}

/** Whether another one has this name. */
export async function hasRival(
  tx: Transaction,
  repositoryId: string,
  { id, name }: { id: string; name: string },
): Promise<boolean> {
  return (await tx.one(statements.findRival, [repositoryId, name, id])) !== undefined;
}

export async function insertLabel(
  tx: Transaction,
  repositoryId: string,
  label: LabelFields & { id: string },
): Promise<LabelRow> {
  const { id, name, color, description } = label;
  const row = await tx.one(statements.insertLabel, [id, repositoryId, name, color, description]);
  if (!row) throw new Error("the insert gave no row");
  return row;
}

/** Undefined where it is gone. */
export function updateLabel(
  tx: Transaction,
  repositoryId: string,
  label: LabelFields & { id: string },
): Promise<LabelRow | undefined> {
  const { id, name, color, description } = label;
  return tx.one(statements.updateLabel, [repositoryId, id, name, color, description]);
}

/** Gives its name; undefined where it is gone. */
export async function deleteLabel(
  tx: Transaction,
  repositoryId: string,
  id: string,
): Promise<string | undefined> {
  return (await tx.one(statements.deleteLabel, [repositoryId, id]))?.name;
}
