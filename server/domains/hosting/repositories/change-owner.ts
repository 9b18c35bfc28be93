/** What changes with the owner of a repository. */
import type { Transaction } from "../../../platform/db/database.ts";
import { deleteCollaborator } from "../collaborators/collaborators.store.ts";
import { takeName, type RepositoryRow } from "./repositories.store.ts";
import { leaveName, setOwner } from "./settings.store.ts";
import { deleteTransfer, type Receiver } from "../repository-transfers/repository-transfers.store.ts";

export interface ChangeOfOwner {
  row: RepositoryRow;
  receiver: Receiver;
  /** Teams belong to an organization, so what they were granted ends. */
  endTeamGrants(tx: Transaction, repositoryId: string): Promise<void>;
}

/** The name must be free there. */
export async function changeOwner(tx: Transaction, change: ChangeOfOwner): Promise<void> {
  const { row, receiver } = change;
  await deleteTransfer(tx, row.id);
  await change.endTeamGrants(tx, row.id);
  await deleteCollaborator(tx, { repositoryId: row.id, userId: receiver.id });
  await setOwner(tx, row.id, receiver);
  await takeName(tx, receiver.id, row.name);
  await leaveName(tx, row);
}
