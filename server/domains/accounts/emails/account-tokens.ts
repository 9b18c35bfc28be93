/** Codes that a mail brought: each proves once, for one purpose, that its user reads at the address. */
import { invalidField, type AppError } from "../../../platform/app-error.ts";
import { hashToken } from "../../../platform/credentials/credential.ts";
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import * as store from "./emails.store.ts";
import type { AccountToken, TokenOwner } from "./emails.store.ts";

type Purpose = AccountToken["purpose"];

/** Whose it is; it can still be used. Throws `validation_failed` for a token that does not work (any more). */
export async function findTokenOwner(db: Queryable, purpose: Purpose, token: string): Promise<TokenOwner> {
  const owner = await store.findAccountToken(db, purpose, hashToken(token));
  if (!owner) throw invalidToken();
  return owner;
}

/** As `findTokenOwner`, and uses it up: of several at the same time one gets it. */
export async function useToken(tx: Transaction, purpose: Purpose, token: string): Promise<TokenOwner> {
  const owner = await store.useAccountToken(tx, purpose, hashToken(token));
  if (!owner) throw invalidToken();
  return owner;
}

/** Those of the user that nobody has used. */
export function endTokens(tx: Transaction, userId: string, purpose: Purpose): Promise<void> {
  return store.deleteAccountTokens(tx, userId, purpose);
}

function invalidToken(): AppError {
  return invalidField("token", "invalid", "The token is invalid, already used, or expired.");
}
