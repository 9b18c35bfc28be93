/**
 * Totals of lists. Counting is what makes a long list slow: up to `exactUpTo` rows are counted at each request; beyond,
 * a total may be some seconds old, and is counted again while requests already get the last one.
 */
import type { Queryable } from "./database.ts";
import { statementName, type Statement } from "./statement.ts";

const exactUpTo = 10_000;
const freshMs = 5_000;
const keptTotals = 1_000;

interface Total {
  rows: number;
  countedAtMs: number;
  counting: boolean;
}

/** By database; entries of a transaction end with it. */
const totals = new WeakMap<Queryable, Map<string, Total>>();

/** A text that is not kept prepared: there are many like it, or its plan has to fit what is asked for. */
export interface Unprepared {
  unprepared: string;
}

/** Rows of `from PLACE where CONDITION`, static text as everywhere. Exact for up to ten thousand. */
export async function countRows(
  db: Queryable,
  place: string | Unprepared,
  params: readonly unknown[],
): Promise<number> {
  const from = typeof place === "string" ? place : place.unprepared;
  const count = countFor(db, typeof place === "string");
  const known = totals.get(db) ?? new Map<string, Total>();
  totals.set(db, known);
  const key = JSON.stringify([from, params]);
  const before = known.get(key);
  if (before && performance.now() - before.countedAtMs < freshMs) return before.rows;
  const rows = await count(
    `select count(*) as total from (select 1 ${from} limit ${exactUpTo + 1}) as counted`,
    params,
  );
  if (rows <= exactUpTo) {
    known.delete(key);
    return rows;
  }
  const countAll = async () => {
    const total = await count(`select count(*) as total ${from}`, params);
    if (known.size >= keptTotals) known.clear();
    known.set(key, { rows: total, countedAtMs: performance.now(), counting: false });
    return total;
  };
  if (!before) return countAll();
  if (!before.counting) {
    before.counting = true;
    // The next caller tries again.
    countAll().catch(() => (before.counting = false));
  }
  return before.rows;
}

const countFor =
  (db: Queryable, isPrepared: boolean) =>
  async (text: string, params: readonly unknown[]): Promise<number> => {
    const statement: Statement<{ total: number }> = { text, name: isPrepared ? statementName(text) : "" };
    return (await db.one(statement, params))?.total ?? 0;
  };
