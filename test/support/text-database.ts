/** A database as tests like to have it: it also takes texts, of which the test itself says what their rows are. */
import type { Container } from "@forgeline/server/container.ts";
import type {
  Database,
  Queryable,
  Transaction,
  TransactionOptions,
} from "@forgeline/server/platform/db/database.ts";
import { statementName, type Statement } from "@forgeline/server/platform/db/statement.ts";

type Row = Record<string, unknown>;

interface TextQueryable extends Queryable {
  query<R extends object>(statement: Statement<R>, params?: readonly unknown[]): Promise<R[]>;
  query<R extends object = Row>(text: string, params?: readonly unknown[]): Promise<R[]>;
  one<R extends object>(statement: Statement<R>, params?: readonly unknown[]): Promise<R | undefined>;
  one<R extends object = Row>(text: string, params?: readonly unknown[]): Promise<R | undefined>;
}

export type TextTransaction = TextQueryable & Transaction;

export interface TextDatabase extends TextQueryable, Omit<Database, keyof TextQueryable | "transaction"> {
  transaction<T>(work: (tx: TextTransaction) => Promise<T>, options?: TransactionOptions): Promise<T>;
}

export type TextContainer = Omit<Container, "platform"> & {
  platform: Omit<Container["platform"], "db"> & { db: TextDatabase };
};

export function ofTexts(container: Container): TextContainer {
  return { ...container, platform: { ...container.platform, db: withTexts(container.platform.db) } };
}

export function withTexts(db: Database): TextDatabase {
  return {
    ...db,
    ...takingTexts(db),
    transaction: (work, options) => db.transaction((tx) => work({ ...tx, ...takingTexts(tx) }), options),
  };
}

function takingTexts(queryable: Queryable): TextQueryable {
  return {
    query<R extends object>(statement: Statement<R> | string, params?: readonly unknown[]) {
      return queryable.query(statementOf(statement), params);
    },
    one<R extends object>(statement: Statement<R> | string, params?: readonly unknown[]) {
      return queryable.one(statementOf(statement), params);
    },
  };
}

function statementOf<R extends object>(statement: Statement<R> | string): Statement<R> {
  return typeof statement === "string" ? { text: statement, name: statementName(statement) } : statement;
}
