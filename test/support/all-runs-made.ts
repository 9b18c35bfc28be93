/** Does what is due for a merge request now, in place of the tasks that do it in the background. */
import type { ApiServer } from "./api-server.ts";
import { eventually } from "./eventually.ts";

/** As lists of runs show it. */
export interface ShownRun {
  id: string;
  number: number;
  pipeline: string;
  source: string;
  status: string;
  reason: string | null;
  sha: string;
  ref: string;
  merge_request: { number: number } | null;
}

/** Its branches are compared then, and no run is to be made any more. */
export async function allRunsMade(
  container: ApiServer["container"],
  repositoryId: string,
  number: number,
): Promise<void> {
  const { signal } = new AbortController();
  const { collaboration, pipelines, platform } = container;
  await eventually(async () => {
    await pipelines.mergeRequestRuns.makeDue(signal);
    await collaboration.mergeRequestComparison.compareDue(signal);
    const [row] = await platform.db.query<{ is_due: boolean }>(
      `select s.due_at is not null or m.check_due_at is not null as is_due from merge_request_subjects s
       join merge_requests m on m.id = s.merge_request_id where s.repository_id = $1 and s.number = $2`,
      [repositoryId, number],
    );
    return row?.is_due === false;
  });
}
