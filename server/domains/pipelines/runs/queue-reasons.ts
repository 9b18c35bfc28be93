/** Why queued attempts are still queued: worked out when read, from the runners as they are now. */
import { reasonSentence } from "./reasons.ts";

/** What the runners have for a queued attempt. */
export interface QueueRow {
  /** Of the attempt. */
  id: string;
  fitting: number;
  usable: number;
  free: number;
  nearest: string | null;
  missing: string[] | null;
}

/** A `QueueRow` for each queued attempt of the pipeline `p` of the statement around it. */
export const queueRows = `
select a.id, fit.fitting, fit.usable, fit.free, near.name as nearest, near.missing
from job_attempts a
cross join lateral (
  select count(*) as fitting, count(*) filter (where u.usable) as usable,
    count(*) filter (where u.usable and r.capacity > (select count(*) from job_attempts h
      where h.runner_id = r.id and h.state in ('offered', 'leased'))) as free
  from runners r cross join lateral (select not (r.paused or r.draining or r.agent_draining) as usable) u
  where r.revoked_at is null and r.instance_id is not null and a.labels <@ r.match_labels
    and (r.repository_id is null or r.repository_id = a.repository_id)
) fit
left join lateral (
  select r.name, array(select unnest(a.labels) except select unnest(r.match_labels) order by 1) as missing from runners r
  where fit.fitting = 0 and r.revoked_at is null and r.instance_id is not null
    and (r.repository_id is null or r.repository_id = a.repository_id)
  order by cardinality(array(select unnest(a.labels) except select unnest(r.match_labels))), r.name limit 1
) near on true
where a.pipeline_id = p.id and a.state in ('queued', 'offered')`;

export type Why = { reason: string; message: string };

/** By attempt id. */
export function queueReasons(rows: readonly QueueRow[]): Map<string, Why> {
  return new Map(rows.map((row) => [row.id, whyQueued(row)]));
}

export function whyQueued(row: Omit<QueueRow, "id">): Why {
  if (row.free > 0) {
    return { reason: "no_free_runner", message: "A runner that fits has room; it is being asked." };
  }
  if (row.usable > 0) return told("no_free_runner");
  if (row.fitting > 0) return told("paused");
  if (row.nearest === null) {
    return { reason: "no_matching_runner", message: "No runner that may take this job is connected." };
  }
  const message = `No runner has all the labels; the nearest, ${row.nearest}, lacks ${(row.missing ?? []).join(", ")}.`;
  return { reason: "no_matching_runner", message };
}

function told(reason: string): Why {
  return { reason, message: reasonSentence(reason) ?? reason };
}
