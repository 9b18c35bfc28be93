/**
 * What a newer run has deployed, as SQL, so that the job that is refused and the people who are warned are told the same.
 * A run is older if it was created before the run of the current deployment, for another commit, and was begun (or begun again) before that
 * deployment ended: whoever runs it again afterwards means it.
 */
export interface NewerDeployment {
  environment: string;
  pipeline_id: string;
  number: number;
  sha: string;
  at: string;
  /** The environment refuses what is older. */
  refused: boolean;
}

const began = `coalesce((select max(t.at) from transitions t
  where t.pipeline_id = p.id and t.new_status = 'created' and p.sequence > 1), p.created_at)`;

/** A `NewerDeployment` or null, for the run `p`; `names`: an array of environments in lower case. */
export function newerSql(names: string): string {
  return `(select json_build_object('environment', ne.name, 'pipeline_id', n.id, 'number', n.number, 'sha', n.sha, 'at', c.finished_at,
      'refused', ne.refuse_older)
    from environments ne cross join lateral (
      select a.pipeline_id, a.finished_at from deployments d join job_attempts a on a.id = d.attempt_id
      where d.environment_id = ne.id and a.status = 'success' order by d.created_at desc, d.id desc limit 1) c
    join pipelines n on n.id = c.pipeline_id
    where ne.repository_id = p.repository_id and lower(ne.name) = any(${names})
      and n.number > p.number and n.sha <> p.sha and c.finished_at > ${began}
    order by ne.refuse_older desc, c.finished_at desc limit 1)`;
}
