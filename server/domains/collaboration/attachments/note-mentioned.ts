/** That a text of a repository mentions attachments is noted as it is saved, so that none is removed in that very moment. */
import type { Transaction } from "../../../platform/db/database.ts";
import { statements } from "./attachments.store.ts";
import { attachmentIdsIn } from "./mentions.ts";

/** In the transaction that saves the text. Safe to call twice. */
export async function noteMentioned(tx: Transaction, repositoryId: string, text: string): Promise<void> {
  const ids = attachmentIdsIn(text);
  if (ids.length > 0) await tx.query(statements.noteMentioned, [repositoryId, ids]);
}
