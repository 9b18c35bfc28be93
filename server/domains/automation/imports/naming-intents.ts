/** Gives texts to the accounts of those who were named, through the outbox: there may be a hundred thousand. */
import type { Database, Transaction } from "../../../platform/db/database.ts";
import { addIntent } from "../../../platform/outbox/outbox.ts";
import type { ImportWriter } from "../../collaboration/domain.ts";
import * as store from "./imports.store.ts";

/** Prefix of the keys of these intents, and their kind. */
export const namingKey = "import_naming";

export async function addNamingIntent(
  tx: Transaction,
  { repositoryId, importId }: { repositoryId: string; importId: string },
): Promise<void> {
  await addIntent(tx, { kind: namingKey, key: `${namingKey}:${importId}`, group: repositoryId, payload: {} });
}

/** Of everybody who was named in this import. Safe to cut off, and to call again. */
export async function giveTexts(
  { db, importWriter }: { db: Database; importWriter: Pick<ImportWriter, "give"> },
  importId: string,
): Promise<void> {
  const row = await store.findImport(db, importId);
  if (!row || row.repository_id === null) return;
  const known = new Set(
    (await db.query(store.statements.knownUsers, [Object.values(row.agreed)])).map(({ id }) => id),
  );
  for (const [login, userId] of Object.entries(row.agreed))
    if (known.has(userId))
      await importWriter.give({ repositoryId: row.repository_id, name: `${row.host}/${login}`, userId });
}
