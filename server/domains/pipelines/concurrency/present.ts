/** Concurrency groups and slots as the REST interface shows them. Pure. */
import type {
  ConcurrencyGroup,
  ConcurrencySlot,
  ConcurrencyWait,
} from "@forgeline/schemas/concurrency/resource.ts";
import type { GroupRow, SlotRow, WaitRow } from "./groups.store.ts";
import { runAddress } from "../runs/run-address.ts";

export interface SlotView {
  /** `https://HOST/api/v1` and `https://HOST`. */
  baseUrl: string;
  webUrl: string;
  /** Runs of other repositories are not named; null: those of all repositories of the group's owner are. */
  repositoryId: string | null;
}

export function presentGroup({ holders, queue, ...row }: GroupRow, view: SlotView): ConcurrencyGroup {
  return {
    ...row,
    limit: row.limit ?? 1,
    holders: holders.map((slot) => presentSlot(slot, view)),
    queue: queue.map((slot) => presentSlot(slot, view)),
  };
}

export function presentWait(
  { group, scope, since, ahead, holders }: WaitRow,
  view: SlotView,
): ConcurrencyWait {
  return {
    group,
    scope,
    since: new Date(since ?? 0).toISOString(),
    ahead,
    holders: holders.map((slot) => presentSlot(slot, view)),
  };
}

function presentSlot(row: SlotRow, { baseUrl, webUrl, repositoryId }: SlotView): ConcurrencySlot {
  const base = { id: row.id, state: row.state, since: new Date(row.since).toISOString() };
  const isNamed = repositoryId === null ? row.is_owners : repositoryId === row.repository_id;
  if (!isNamed)
    return { ...base, repository: null, pipeline: null, stage: null, job: null, superseded: null };
  const { full_name: repository, job_id: jobId, number } = row;
  return {
    ...base,
    repository,
    pipeline: {
      id: row.pipeline_id,
      number,
      url: `${baseUrl}/repos/${repository}/pipelines/${row.pipeline_id}`,
      web_url: runAddress(webUrl, repository, number),
    },
    stage: row.stage,
    job: jobId === null ? null : { id: jobId, key: row.key ?? "", name: row.job_name ?? "" },
    superseded: row.superseded_reason,
  };
}

/** Who has to be done before a job that waits gets its slot. */
export function waitSentence({ group, ahead, holders }: ConcurrencyWait): string {
  const who = holders.map(({ pipeline, job }) => {
    if (!pipeline) return "a run of another repository";
    return job ? `job ${job.name} of run #${pipeline.number}` : `run #${pipeline.number}`;
  });
  const held = who.length > 0 ? `, held by ${[...new Set(who)].slice(0, 3).join(", ")}` : "";
  const more = new Set(who).size > 3 ? " and others" : "";
  const before = ahead > 0 ? `; ${ahead === 1 ? "one more is" : `${ahead} more are`} before it` : "";
  return `Waits for a slot of the concurrency group ${group}${held}${more}${before}.`;
}
