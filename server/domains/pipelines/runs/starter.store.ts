/** Who began what runs now, as SQL, so that the history of an environment and mails name the same person. */

/** Of the run `p`, in its current sequence, the id of who started it or ran it again; null if nobody did, or the user is gone. */
export const startedBySql = `case when p.sequence = 1 then p.triggered_by else (select s.id from users s where s.username = (
  select t.actor from transitions t
  where t.pipeline_id = p.id and t.node = 'job' and t.new_status = 'created' order by t.id desc limit 1)) end`;
