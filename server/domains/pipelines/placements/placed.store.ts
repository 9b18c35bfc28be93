/** Which jobs of placed stages a runner may take, and what they find, as SQL for the statements of claims, leases and reasons. */
import { signedLabel } from "../runners/labels.ts";
import { anyPlacement, placementsPerSlot } from "./placement-labels.ts";

/**
 * The labels that the runner of this alias has by itself: that of signed jobs, which any may have, and not that of new placements, if it
 * has as many as it may.
 */
export const ownLabelsSql = (runner: string) =>
  `('${signedLabel}'::text || case when (select count(*) from placements own where own.runner_id = ${runner}.id and own.state in ('chosen', 'held'))
      < ${runner}.capacity * ${placementsPerSlot}
    then ${runner}.own_labels else array_remove(${runner}.own_labels, '${anyPlacement}') end)`;

/** Whether nobody else works in the workspace that the attempt of this alias would work in. */
export const hasTurnSql = (attempt: string) =>
  `(${attempt}.placement_id is null or ${attempt}.job ->> 'workspace' is distinct from 'stage' or not exists (
    select from job_attempts other where other.placement_id = ${attempt}.placement_id and other.placement_id is not null
      and other.state in ('offered', 'leased') and other.job ->> 'workspace' = 'stage'))`;

/** Whether no job of its placement has begun, before the attempt of this alias did. */
export const isNewWorkspaceSql = (attempt: string) =>
  `not exists (select from job_attempts other where other.pipeline_id = ${attempt}.pipeline_id
    and other.placement_id = ${attempt}.placement_id and other.id <> ${attempt}.id and other.begun
    and other.job ->> 'workspace' = 'stage')`;

/** Labels that people wrote: without those that lead to placements or name abilities of runners. */
export const plainLabelsSql = (labels: string) =>
  `array(select l.label from unnest(${labels}) with ordinality as l(label, place) where left(l.label, 1) <> '@' order by l.place)`;

/** Of the attempt `a`: the runner that its stage has. */
export const placedRunner = `
  select r.name from placements p join runners r on r.id = p.runner_id where p.id = a.placement_id and p.state <> 'over'`;

/** Of the queued attempt `a`: the job that works in its workspace. */
export const beforeInWorkspace = `
  select j.name from job_attempts other join jobs j on j.id = other.job_id
  where other.placement_id = a.placement_id and other.placement_id is not null and other.id <> a.id
    and other.state in ('offered', 'leased') and other.job ->> 'workspace' = 'stage' and a.job ->> 'workspace' = 'stage'
    and a.state = 'queued'
  limit 1`;

/** Of the stage `s`: its newest placement. */
export const lastPlacement = `
  left join lateral (
    select l.shared, l.lost, l.runner_id, r.name from placements l left join runners r on r.id = l.runner_id
    where l.stage_id = s.id order by l.created_at desc limit 1) placed on true`;
/** All null where it has none. */
export const placementColumns = `
  placed.shared as placement_shared, placed.lost as placement_lost, placed.runner_id as placement_runner_id,
  placed.name as placement_runner`;
