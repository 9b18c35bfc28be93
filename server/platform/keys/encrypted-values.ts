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

interface EncryptedStore<Row extends { id: string }, Again> {
  count: EncryptedValues["count"];
  /** The next rows that another key encrypted, in the order of their ids; locked. */
  lock(tx: Transaction, page: EncryptedPage): Promise<Row[]>;
  replace(tx: Transaction, again: readonly Again[]): Promise<void>;
  /** Throws where no key decrypts it. */
  again(row: Row): Again;
}

export function encryptedValues<Row extends { id: string }, Again>(
  store: EncryptedStore<Row, Again>,
): EncryptedValues {
  return {
    count: store.count,
    async next(tx, page) {
      const rows = await store.lock(tx, page);
      const done: Again[] = [];
      const unreadable: string[] = [];
      for (const row of rows) {
        try {
          done.push(store.again(row));
        } catch {
          unreadable.push(row.id);
        }
      }
      await store.replace(tx, done);
      return { last: rows.at(-1)?.id ?? null, done: done.length, unreadable };
    },
  };
}
