/** Addresses that users claim, until they are verified. */
import type { Transaction } from "../../../platform/db/database.ts";
import { newId } from "../../../platform/ids.ts";
import { insertEmail, requestMail } from "./emails.store.ts";

/** The address of a new account. In the transaction that makes the account. */
export async function claimFirstAddress(tx: Transaction, userId: string, address: string): Promise<void> {
  const row = await insertEmail(tx, { id: newId("eml"), userId, address, max: 1 });
  if (row) await askForVerification(tx, row.id, row.email);
}

/** To be called in the transaction that stores the address. */
export async function askForVerification(tx: Transaction, emailId: string, address: string): Promise<void> {
  await requestMail(tx, { kind: "verify_email", address, emailId });
  await tx.notify("mail", "");
}
