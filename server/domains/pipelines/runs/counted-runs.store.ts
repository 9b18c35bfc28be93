/** Which runs say something of a commit, and whether some are still to come, as SQL: whatever asks for it means the same. */

/**
 * The run `p` is of the commit `$2` of the repository `$1` itself, or on the merged result of the merge request `number` whose head the
 * commit is, for the target branch that it has now. What became of the head elsewhere says nothing of it.
 */
export const countsSql = (number: string) => `(p.sha = $2 and p.head_sha is null
        or p.head_sha = $2 and p.merge_request_number = ${number}::int and p.event #>> '{mergeRequest,target_branch}' = (
          select m.target_branch from merge_request_subjects m where m.repository_id = $1 and m.number = ${number}::int))`;

/** The merged result of the merge request `number` of the repository `$1` is still to be tested. */
export const isResultDueSql = (number: string) => `exists (
      select from merge_request_subjects m join repositories o on o.id = m.repository_id and o.merge_request_pipelines = 'merged_result'
      where m.repository_id = $1 and m.number = ${number}::int and m.is_open and m.due_at is not null)`;

/** Another run of the file of the run `p` runs for the commit, and says what became of it. */
export const isLeftOutSql = `p.status = 'skipped' and coalesce(p.reason, '') ~ '^(merge_request|pushed):'`;
