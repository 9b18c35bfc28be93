/** Gives texts to the accounts of those who were named, through the outbox: there may be a hundred thousand. */
import type { Database, Transaction } from "../../../platform/db/database.ts";
import { addIntent } from "../../../platform/outbox/outbox.ts";
import type { ImportWriter } from "../../collaboration/domain.ts";
import { namedIn } from "./import-context.ts";
import * as store from "./imports.store.ts";

/** Prefix of the keys of these intents, and their kind. */
export const namingKey = "import_naming";

interface Named {
  repositoryId: string;
  importId: string;
  /** In lower case. */
  login: string;
}

export async function addNamingIntent(
  tx: Transaction,
  { repositoryId, importId, login }: Named,
): Promise<void> {
  const key = `${namingKey}:${importId}:${login}`;
  await addIntent(tx, { kind: namingKey, key, group: repositoryId, payload: {} });
}

/** `at` is `IMPORT:LOGIN`. A part at a time, so that others' intents are not held up. Safe to cut off, and to call again. */
export async function giveTexts(
  { db, importWriter }: { db: Database; importWriter: Pick<ImportWriter, "give"> },
  at: string,
): Promise<void> {
  const importId = at.slice(0, at.indexOf(":"));
  const login = at.slice(importId.length + 1);
  await db.transaction(async (tx) => {
    const row = await store.lockImport(tx, importId);
    if (!row || row.repository_id === null) return;
    const named = namedIn(row);
    const userId = Object.hasOwn(named, login) ? named[login] : undefined;
    if (userId === undefined) return;
    if ((await tx.query(store.statements.knownUsers, [[userId]])).length === 0) return;
    const repositoryId = row.repository_id;
    if (await importWriter.give(tx, { repositoryId, name: `${row.host}/${login}`, userId }))
      await addNamingIntent(tx, { repositoryId, importId, login });
  });
}
