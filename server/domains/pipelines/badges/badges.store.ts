/** The runs that a badge is about. */
import type { Queryable } from "../../../platform/db/database.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import type { BadgesRows } from "./badges.rows.ts";

/** Of a branch whose last runs are all of other files, or skipped, so many are looked at. */
const lookedAt = 500;

export const statements = defineStatements<BadgesRows>({
  findNewestRuns: `
    with last as (
      select number, sha, file, status, warnings from pipelines
       where repository_id = $1 and ref = 'refs/heads/' || $2::text order by number desc limit ${lookedAt}
    ), fitting as (
      select * from last where status <> 'skipped'
         and ($3::text is null or file = $3 or file = '.forgeline/' || $3 || '.yml')
    )
    select distinct on (file) file, status, warnings from fitting
     where sha = (select sha from fitting order by number desc limit 1) order by file, number desc`,
});

export type BadgeRun = BadgesRows["findNewestRuns"];

/** The newest run of each file for the newest commit of the branch that has runs; [] if there is none. */
export function findNewestRuns(
  db: Queryable,
  repositoryId: string,
  { branch, pipeline }: { branch: string; pipeline: string | null },
): Promise<BadgeRun[]> {
  return db.query(statements.findNewestRuns, [repositoryId, branch, pipeline]);
}
