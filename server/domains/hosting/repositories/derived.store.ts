/** Columns of a repository that repeat data from other tables, so that lists need not read those. */
import type { Queryable } from "../../../platform/db/database.ts";

export const statements = defineStatements<DerivedRows>({
  touchRepository: "update repositories set updated_at = now() where id = $1",
  setPrimaryLanguage: `
    update repositories r set primary_language = l.language
    from (select (select language from repository_languages where repository_id = $1
      order by bytes desc, language limit 1) as language) as l
    where r.id = $1 and r.primary_language is distinct from l.language`,
  setSize: "update repositories set size_kb = $2 where id = $1 and size_kb <> $2",
});
import { defineStatements } from "../../../platform/db/statement.ts";
import type { DerivedRows } from "./derived.rows.ts";

/** Something in it changed just now. */
export async function touchRepository(tx: Queryable, id: string): Promise<void> {
  await tx.query(statements.touchRepository, [id]);
}

/** The language with the most bytes; null if there is none. */
export async function setPrimaryLanguage(tx: Queryable, id: string): Promise<void> {
  await tx.query(statements.setPrimaryLanguage, [id]);
}

/** Without its logs and large files. */
export async function setSize(db: Queryable, id: string, sizeKb: number): Promise<void> {
  await db.query(statements.setSize, [id, sizeKb]);
}
