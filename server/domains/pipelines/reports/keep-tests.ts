/** Keeps the tests that a job has reported: each result, what it says of the test in general, and which are flaky. */
import { createHash } from "node:crypto";
import { maxRepositoryTests } from "@forgeline/schemas/reports/limits.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import { newId } from "../../../platform/ids.ts";
import type { FoundTest } from "./parse/found.ts";
import * as store from "./tests.store.ts";

const keptAtOnce = 5_000;

/** A sentence where not all could be kept; null otherwise. To be called once for an attempt, in the transaction that ends its reading. */
export async function keepTests(
  tx: Transaction,
  attempt: { attemptId: string; repositoryId: string },
  found: readonly FoundTest[],
): Promise<string | null> {
  if (found.length === 0) return null;
  const { tests, results } = rowsOf(found);
  const mayAdd = (await store.countTests(tx, attempt.repositoryId)) < maxRepositoryTests;
  for (const part of parts(tests)) await store.addTests(tx, attempt.repositoryId, { tests: part, mayAdd });
  for (const part of parts(results)) await store.addResults(tx, attempt, part);
  await store.markFlaky(tx, attempt.attemptId);
  return mayAdd
    ? null
    : `the repository has ${maxRepositoryTests} different tests, which is the most; new ones were left out. Names of tests should not change from run to run`;
}

/** Pure, except for new ids. */
function rowsOf(found: readonly FoundTest[]): { tests: store.NewTest[]; results: store.NewResult[] } {
  const tests = new Map<string, store.NewTest>();
  const results = found.map(({ suite, name, status, durationMs: ms, message, details }, position) => {
    const hash = createHash("sha256").update(`${suite}\0${name}`).digest("hex");
    const known = tests.get(hash) ?? { id: newId("test"), hash, suite, name, results: 0, failures: 0, ms };
    tests.set(hash, {
      ...known,
      results: known.results + 1,
      failures: known.failures + (status === "failed" ? 1 : 0),
    });
    return { position, hash, status, ms, message, details };
  });
  // In one order for all, as the rows are locked.
  return { tests: [...tests.values()].toSorted((a, b) => (a.hash < b.hash ? -1 : 1)), results };
}

function* parts<T>(rows: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < rows.length; at += keptAtOnce) yield rows.slice(at, at + keptAtOnce);
}
