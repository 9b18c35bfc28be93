/** Going back to what was deployed before, as SQL, so that those who approve it are told alike by mail and wherever they look. */
import { startedBySql } from "../runs/starter.store.ts";

export interface GoingBack {
  environment: string;
  /** The run whose deployment is replaced. */
  pipeline_id: string;
  number: number;
  sha: string;
  asked_by: string | null;
}

/**
 * A `GoingBack` or null, for the run `p`; `names`: an array of environments in lower case. The run has deployed there before, and another
 * one has deployed another commit since.
 */
export function goingBackSql(names: string): string {
  return `(select json_build_object('environment', be.name, 'pipeline_id', n.id, 'number', n.number, 'sha', n.sha,
      'asked_by', (select w.username from users w where w.id = ${startedBySql}))
    from environments be cross join lateral (
      select a.pipeline_id from deployments d join job_attempts a on a.id = d.attempt_id
      where d.environment_id = be.id and a.status = 'success' order by d.created_at desc, d.id desc limit 1) c
    join pipelines n on n.id = c.pipeline_id
    where be.repository_id = p.repository_id and lower(be.name) = any(${names}) and n.id <> p.id and n.sha <> p.sha
      and exists (select from job_attempts ba join deployments bd on bd.attempt_id = ba.id
        where ba.pipeline_id = p.id and ba.status = 'success' and bd.environment_id = be.id)
    order by lower(be.name) limit 1)`;
}
