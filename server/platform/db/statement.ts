/**
 * Statements with the types of their rows. Stores declare their SQL under names; `scripts/generate-rows.ts` asks the migrated
 * database what each returns, and writes the types beside the store.
 */
import { createHash } from "node:crypto";

export interface Statement<R extends object> {
  readonly text: string;
  /** Name of the prepared statement; empty: it is not kept prepared. */
  readonly name: string;
  /** Has no value; carries the type of a row. */
  readonly row?: R;
}

/** The row of a statement: `RowOf<typeof statements.findTeam>`. */
export type RowOf<S> = S extends Statement<infer R> ? R : never;

/** Narrower types of columns that exist. */
type Narrower<Rows, Known> = {
  [K in keyof Known]: K extends keyof Rows ? NarrowerRow<Rows[K], Known[K]> : never;
};
/** Of a union, each part. */
type NarrowerRow<Row, Part> =
  KeysOf<Part> extends keyof Row
    ? Part extends unknown
      ? { [C in keyof Part]: C extends keyof Row ? Row[C] : never }
      : never
    : never;
type KeysOf<Part> = Part extends unknown ? keyof Part : never;

type Statements<Rows, Known> = {
  readonly [K in keyof Rows]: Statement<
    K extends keyof Known ? Omit<Rows[K], keyof Known[K]> & Known[K] : Extract<Rows[K], object>
  >;
};

/**
 * Statements by name, with the generated types of their rows. `Known` says what the database cannot tell of a column, by
 * statement and column, with the reason: that an expression is never null, what a document of JSON holds, or, by a union, what
 * goes together. It can only narrow the type of a column that is there.
 */
export function defineStatements<Rows extends object, Known extends Narrower<Rows, Known> = object>(texts: {
  readonly [K in keyof Rows]: string;
}): Statements<Rows, Known> {
  const named = Object.entries<string>(texts).map(([key, text]) => [
    key,
    { text, name: statementName(text) },
  ]);
  return Object.fromEntries(named) as Statements<Rows, Known>;
}

/** Another text, put together at run time, with the columns of a statement: it has further conditions or another order. */
export function variantOf<R extends object>(_statement: Statement<R>, text: string): Statement<R> {
  return { text, name: statementName(text) };
}

/** As `variantOf`, for texts of which there are too many to keep each prepared: PostgreSQL plans it for these parameters. */
export function unpreparedOf<R extends object>(_statement: Statement<R>, text: string): Statement<R> {
  return { text, name: "" };
}

const names = new Map<string, string>();

/** A name made from the text. */
export function statementName(text: string): string {
  let name = names.get(text);
  if (!name) {
    name = createHash("sha256").update(text).digest("base64url").slice(0, 24);
    names.set(text, name);
  }
  return name;
}
