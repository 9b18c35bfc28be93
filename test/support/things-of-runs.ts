/** What belongs to a run and has an id of its own, straight in the database; each gives the id. */
import { newId } from "@forgeline/server/platform/ids.ts";
import type { ApiServer } from "./api-server.ts";
import { insertDeployment } from "./deployments.ts";

export function thingsOfRuns(server: Pick<ApiServer, "container">) {
  const { db } = server.container.platform;
  return {
    /** In a concurrency group of its repository, or of an organization; one run can have one of each. */
    async slotOf(run: string, organization: string | null = null): Promise<string> {
      const id = newId("slot");
      // What a run that is over still holds is given back within a minute.
      await db.query("update pipelines set status = 'running', finished_at = null where id = $1", [run]);
      await db.query(
        `insert into concurrency_slots (id, scope, owner_id, group_name, repository_id, pipeline_id, node, node_id, slot_limit,
           wait_order, newest_only, cancel_running)
         select $2, case when o.id is null then 'repo' else 'org' end, coalesce(o.id, p.repository_id), 'deploy', p.repository_id, p.id,
           'pipeline', coalesce(o.id, p.id), 1, 'created', false, false
         from pipelines p left join owners o on o.name = $3 where p.id = $1`,
        [run, id, organization],
      );
      return id;
    },
    /** Of the repository of the run. */
    async cacheOf(run: string): Promise<string> {
      const id = newId("cache");
      await db.query(
        `insert into caches (id, repository_id, scope, key, paths_hash, paths, epoch, position, size_bytes, saved_at)
         select $2, repository_id, 'refs/heads/main', 'npm', '', '{}', 1, 0, 1, now() from pipelines where id = $1`,
        [run, id],
      );
      return id;
    },
    /** Of the repository of the run, as its jobs report it. */
    async testOf(run: string): Promise<string> {
      const id = newId("test");
      await db.query(
        `insert into tests (id, repository_id, name_hash, suite, name) select $2, repository_id, '\\x00', 's', 'n'
         from pipelines where id = $1`,
        [run, id],
      );
      return id;
    },
    /** To an environment that all repositories have in common. */
    deploymentOf: (pipelineId: string) => insertDeployment(db, { pipelineId, environment: "v1" }),
  };
}
