/** What a domain keeps encrypted, so that it can be encrypted again with another key. */
import type { Queryable, Transaction } from "../db/database.ts";

export interface EncryptedPage {
  /** Id of the last record of the page before; empty for the first. */
  after: string;
  /** The first bytes of what the current key encrypts. */
  mark: Buffer;
  limit: number;
}

export interface EncryptedAgain {
  /** Id of the last record looked at; null when none is left. */
  last: string | null;
  done: number;
  /** Ids of records that no key decrypts. They are left as they are. */
  unreadable: string[];
}

export interface EncryptedValues {
  /** Records by the mark of the key, in hexadecimal; empty for those that begin with none of `marks`. */
  count(db: Queryable, marks: readonly Buffer[]): Promise<readonly { mark: string; count: number }[]>;
  /** Encrypts the next records that another key encrypted again, and holds them until the transaction ends. */
  next(tx: Transaction, page: EncryptedPage): Promise<EncryptedAgain>;
}

/** Applies `again` to each row that can be decrypted. */
export function encryptRows<Row extends { id: string }, Again>(
  rows: readonly Row[],
  again: (row: Row) => Again,
): { done: Again[]; result: EncryptedAgain } {
  const done: Again[] = [];
  const unreadable: string[] = [];
  for (const row of rows) {
    try {
      done.push(again(row));
    } catch {
      unreadable.push(row.id);
    }
  }
  return { done, result: { last: rows.at(-1)?.id ?? null, done: done.length, unreadable } };
}
