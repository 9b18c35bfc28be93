/** All `*.rows.ts` as they should be now, from the statements of the stores and the test bed's PostgreSQL with all migrations. */
import type pg from "pg";
import { inMigratedDatabase } from "../dump-schema/migrated-database.ts";
import { parseStatement, readCatalogue, type Catalogue } from "./catalogue.ts";
import { describe } from "./describe.ts";
import { columnsOf } from "./query.ts";
import { rowsFile, rowsPath, type RowType } from "./rows-file.ts";
import { readStores, type Store } from "./stores.ts";
import { valueType } from "./value-type.ts";

/** Text by path from the checkout's root. */
export async function rowFiles(): Promise<Record<string, string>> {
  const stores = await readStores();
  return inMigratedDatabase(async (client) => {
    const catalogue = await readCatalogue(client);
    const files: Record<string, string> = {};
    for (const store of stores)
      files[rowsPath(store.path)] = rowsFile(store.path, await rowTypes(client, catalogue, store));
    return files;
  });
}

/** Throws with the name of a statement that the database does not understand. */
async function rowTypes(client: pg.Client, catalogue: Catalogue, store: Store): Promise<RowType[]> {
  const rows: RowType[] = [];
  for (const [statement, { text }] of Object.entries(store.statements)) {
    try {
      const columns = await typedColumns(client, catalogue, text);
      // Of columns of one name the last is there.
      rows.push({
        statement,
        columns: [...new Map(columns.map((column) => [column.name, column])).values()],
      });
    } catch (error) {
      throw new Error(`${store.path}: ${statement}: ${(error as Error).message}`, { cause: error });
    }
  }
  return rows;
}

/** Name and type of each column that a statement returns. Throws where it is not understood, by the database or by us. */
export async function typedColumns(
  client: pg.Client,
  catalogue: Catalogue,
  text: string,
): Promise<{ name: string; type: string }[]> {
  const returned = await describe(client, text);
  const facts = columnsOf(await parseStatement(text), catalogue);
  return returned.map(({ name, type }, at) => {
    const fact = facts[at];
    if (facts.length !== returned.length || fact?.name !== name) {
      const names = facts.map((column) => column.name).join(", ");
      throw new Error(
        `the database returns ${returned.map((column) => column.name).join(", ")}, we read ${names}`,
      );
    }
    return { name, type: valueType(type, fact, catalogue) };
  });
}
