/** Locks a repository while its deploy keys change. */
import type { Transaction } from "../../../platform/db/database.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import type { DeployKeysRows } from "./deploy-keys.rows.ts";

export const statements = defineStatements<DeployKeysRows>({
  holdRepository: "select id from repositories where id = $1 and deleted_at is null for no key update",
});

/** Until the transaction ends; false when it is gone. */
export async function holdRepository(tx: Transaction, id: string): Promise<boolean> {
  return (await tx.one(statements.holdRepository, [id])) !== undefined;
}
