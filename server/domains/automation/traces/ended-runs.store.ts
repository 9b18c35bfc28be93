/** Runs that have ended, as their events keep them. */
import type { Transaction } from "../../../platform/db/database.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import type { RunSnapshot } from "../../pipelines/domain.ts";
import type { EndedRunsRows } from "./ended-runs.rows.ts";

interface Known {
  /** As `recordRunEvents` writes it. */
  readEnded: { run: RunSnapshot };
}

export const statements = defineStatements<EndedRunsRows, Known>({
  readEnded: `
    select subject -> 'pipeline' as run from events
    where position = any($1::bigint[]) and kind = 'pipeline' and action = 'finished' order by position`,
});

/** Those at these positions. */
export async function readEnded(tx: Transaction, positions: readonly number[]): Promise<RunSnapshot[]> {
  return (await tx.query(statements.readEnded, [positions])).map(({ run }) => run);
}
