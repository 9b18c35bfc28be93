/** Fragments of SQL that the inbox and mails have in common: a mail says what the entry does, and is not sent where that is over. */

/** The event, and the reason, of an entry that asks for an approval. */
export const approvalRequested = "approval_requested";

/** Whether a run of the merge request `w` waits for an approval of its commit. */
export const awaitsApproval = `(w.state = 'open' and exists (select 1 from pipelines p where p.repository_id = w.repository_id
      and p.merge_request_number = w.number and p.needs_approval and p.finished_at is null))`;

/** What the timeline of the work item `w` says of why this has ended, the last one until then; null for other events. */
export const endedBecause = (
  event: string,
  until: string,
) => `(select e.details ->> 'reason' from work_item_events e
      where e.work_item_id = w.id and e.kind = ${event} and ${event} in ('dequeued', 'auto_merge_disabled') and e.created_at <= ${until}
      order by e.id desc limit 1)`;
