/** Codes sent by mail: each proves once, for one purpose, that its user can read mail to the address. */
import { invalidField, type AppError } from "../../../platform/app-error.ts";
import { hashToken } from "../../../platform/credentials/credential.ts";
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import * as store from "./emails.store.ts";
import type { AccountToken, TokenOwner } from "./emails.store.ts";

type Purpose = AccountToken["purpose"];

/** The owner of a token that can still be used. Throws `validation_failed` for a token that does not work (any more). */
export async function findTokenOwner(db: Queryable, purpose: Purpose, token: string): Promise<TokenOwner> {
  const owner = await store.findAccountToken(db, purpose, hashToken(token));
  if (!owner) throw invalidToken();
  return owner;
}

/** Like `findTokenOwner`, and uses the token up: only one of several simultaneous calls succeeds. */
export async function useToken(tx: Transaction, purpose: Purpose, token: string): Promise<TokenOwner> {
  const owner = await store.useAccountToken(tx, purpose, hashToken(token));
  if (!owner) throw invalidToken();
  return owner;
}

/** The unused ones of the user. */
export function endTokens(tx: Transaction, userId: string, purpose: Purpose): Promise<void> {
  return store.deleteAccountTokens(tx, userId, purpose);
}

function invalidToken(): AppError {
  return invalidField("token", "invalid", "The token is invalid, already used, or expired.");
}
