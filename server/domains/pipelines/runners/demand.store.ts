/** The queue by label sets, with the runners that could take from it. */
import { maxLabelSets } from "@forgeline/schemas/runners/demand.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import type { DemandRows } from "./demand.rows.ts";
import { failsSql, unnamedSql } from "./fits.store.ts";

export type DemandRow = RowOf<typeof statements.listDemand>;

interface Known {
  /** Counts, which are never null. */
  listDemand: { queued: number; running: number; idle: number; sets: number };
}

const held = `(select count(*) from job_attempts h where h.runner_id = r.id and h.state in ('offered', 'leased'))`;

export const statements = defineStatements<DemandRows, Known>({
  listDemand: `
    with sets as (
      select a.labels, (count(*) filter (where a.state = 'queued'))::int as queued,
        (count(*) filter (where a.state <> 'queued'))::int as running,
        extract(epoch from now() - min(a.queued_at) filter (where a.state = 'queued'))::float8 as waited,
        (count(*) over ())::int as sets
      from job_attempts a
      where a.state in ('queued', 'offered', 'leased')
        and ($1::text is null or a.repository_id in (select id from repositories where owner_id = $1))
      group by a.labels order by waited desc nulls last, a.labels limit ${maxLabelSets}
    ), free as (
      select r.match_labels, r.must_name, r.capacity - ${held} as slots from runners r
      where r.revoked_at is null and r.instance_id is not null and not r.paused and not r.draining and not r.agent_draining
        and not (r.one_job and r.job_taken) and r.repository_id is null
        and (r.organization_id is null or r.organization_id = $1)
    )
    select s.labels, s.queued, s.running, s.waited as "waitedSeconds", s.sets, (
      select coalesce(sum(greatest(f.slots, 0)), 0)::int from free f
      where not exists (select from unnest(s.labels) as l(label) where ${failsSql("l.label", "f.match_labels")})
        and not exists ${unnamedSql("f.must_name", "s.labels")}) as idle
    from sets s order by s.waited desc nulls last, s.labels`,
});

/** Those whose oldest job waits longest come first. Null: of all repositories. */
export function listDemand(db: Queryable, organizationId: string | null): Promise<DemandRow[]> {
  return db.query(statements.listDemand, [organizationId]);
}
