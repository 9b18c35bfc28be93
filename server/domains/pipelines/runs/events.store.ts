/** Reads events and their plans. */
import type { Queryable } from "../../../platform/db/database.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import type { EventsRows } from "./events.rows.ts";

export const statements = defineStatements<EventsRows>({
  findEventRepository: `
    select o.name as owner, r.name, r.default_branch as "defaultBranch", r.mirror_sync_pipelines as "mirrorSyncs",
      r.fork_sync_pipelines as "forkSyncs"
    from repositories r join owners o on o.id = r.owner_id where r.id = $1`,
  findUser: "select username from users where lower(username) = lower($1) and type <> 'organization'",
  findPlan: "select plan, event, number from pipelines where id = $1 and plan is not null",
});

export type EventRepository = EventsRows["findEventRepository"];

/** undefined when the repository is gone. `mirrorSyncs` and `forkSyncs`: whether these may start runs. */
export function findEventRepository(db: Queryable, id: string): Promise<EventRepository | undefined> {
  return db.one(statements.findEventRepository, [id]);
}

/** As the user is called; undefined where there is none of this name. */
export async function findUsername(db: Queryable, name: string): Promise<string | undefined> {
  return (await db.one(statements.findUser, [name]))?.username;
}

/** As they are stored; undefined when there is no such run, or it has no plan. */
export function findPlan(
  db: Queryable,
  pipelineId: string,
): Promise<{ plan: unknown; event: unknown; number: number } | undefined> {
  return db.one(statements.findPlan, [pipelineId]);
}
