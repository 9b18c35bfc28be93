/** The queue by label sets, with the runners that could take from it. */
import { maxLabelSets } from "@forgeline/schemas/runners/demand.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import type { DemandRows } from "./demand.rows.ts";
import { ownLabelsSql } from "../placements/placed.store.ts";
import { failsSql, groupLabelsSql, limitSql, openSql, unnamedSql } from "./fits.store.ts";

export type DemandRow = RowOf<typeof statements.listDemand>;

interface Known {
  /** Counts, which are never null. */
  listDemand: { queued: number; running: number; idle: number; sets: number };
}

/** The group that is asked for, if it is limited. */
const asked = `(select chosen.id from runner_groups chosen where chosen.id = $2::text and chosen.access = 'selected')`;

const held = `(select count(*) from job_attempts h where h.runner_id = r.id and h.state in ('offered', 'leased'))`;

export const statements = defineStatements<DemandRows, Known>({
  listDemand: `
    with waiting as materialized (
      select a.labels, a.repository_id, count(*) filter (where a.state = 'queued') as queued,
        count(*) filter (where a.state <> 'queued') as running, min(a.queued_at) filter (where a.state = 'queued') as since
      from job_attempts a
      where a.state in ('queued', 'offered', 'leased')
        and ($1::text is null or a.repository_id in (select id from repositories where owner_id = $1))
        and ${openSql(asked, "a.repository_id")}
      group by a.labels, a.repository_id
    ), sets as (
      select w.labels, sum(w.queued)::int as queued, sum(w.running)::int as running,
        extract(epoch from now() - min(w.since))::float8 as waited, (count(*) over ())::int as sets
      from waiting w group by w.labels order by waited desc nulls last, w.labels limit ${maxLabelSets}
    ), open as materialized (
      select e.group_id, w.labels from waiting w join runner_group_access e on e.repository_id = w.repository_id
      union
      select e.group_id, w.labels from waiting w join repositories theirs on theirs.id = w.repository_id
        join runner_group_access e on e.owner_id = theirs.owner_id
    ), free as (
      select r.match_labels || ${ownLabelsSql("r")} || ${groupLabelsSql("r")} as labels, r.must_name, ${limitSql("r")} as limited_to,
        r.capacity - ${held} as slots
      from runners r
      where r.revoked_at is null and r.instance_id is not null and not r.paused and not r.draining and not r.agent_draining
        and not (r.one_job and r.job_taken) and r.repository_id is null
        and (r.organization_id is null or r.organization_id = $1)
        and ($2::text is null or r.group_id = $2)
    )
    select s.labels, s.queued, s.running, s.waited as "waitedSeconds", s.sets, (
      select coalesce(sum(greatest(f.slots, 0)), 0)::int from free f
      where not exists (select from unnest(s.labels) as l(label) where ${failsSql("l.label", "f.labels")})
        and not exists ${unnamedSql("f.must_name", "s.labels")}
        and (f.limited_to is null or exists (
          select from open o where o.group_id = f.limited_to and o.labels = s.labels))) as idle
    from sets s order by s.waited desc nulls last, s.labels`,
});

/** Those whose oldest job waits longest come first. Null: of all repositories, whatever group they may use. */
export function listDemand(
  db: Queryable,
  organizationId: string | null,
  groupId: string | null,
): Promise<DemandRow[]> {
  return db.query(statements.listDemand, [organizationId, groupId]);
}
