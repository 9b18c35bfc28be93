/** Reads events and their plans. */
import type { PipelineEvent } from "@forgeline/schemas/pipeline-file/event.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import type { EventsRows } from "./events.rows.ts";

export const statements = defineStatements<EventsRows>({
  findEventRepository: `
    select o.name as owner, r.name, r.default_branch as "defaultBranch"
    from repositories r join owners o on o.id = r.owner_id where r.id = $1`,
  findPlan: "select plan, event, number from pipelines where id = $1 and plan is not null",
});

/** undefined when the repository is gone. */
export function findEventRepository(
  db: Queryable,
  id: string,
): Promise<PipelineEvent["repository"] | undefined> {
  return db.one(statements.findEventRepository, [id]);
}

/** As they are stored; undefined when there is no such run, or it has no plan. */
export function findPlan(
  db: Queryable,
  pipelineId: string,
): Promise<{ plan: unknown; event: unknown; number: number } | undefined> {
  return db.one(statements.findPlan, [pipelineId]);
}
