/** Work as REST shows it. */
import type { Work, WorkStep, WorkSubject } from "@forgeline/schemas/background-work/resource.ts";
import type { Execution } from "./executions.ts";
import type { PendingStep } from "./pending-steps.ts";
import type { SubjectRow } from "./subject.store.ts";

export interface View {
  baseUrl: string;
  webUrl: string;
  subjects: ReadonlyMap<string, SubjectRow>;
}

export interface Shown extends Execution {
  superseded: boolean;
  /** Identifier of the run or the repository. */
  subjectId: string | null;
  steps: readonly PendingStep[];
}

export function presentWork(work: Shown, view: View): Work {
  const { id, execution, kind, state, superseded, startedAt, endedAt } = work;
  const place = `${encodeURIComponent(id)}?execution=${execution}`;
  const subject = work.subjectId === null ? undefined : view.subjects.get(work.subjectId);
  return {
    id,
    execution,
    kind,
    state,
    superseded,
    subject: subject ? presentSubject(subject, view) : null,
    waiting_for: work.steps.map((step) => presentStep(step, view)),
    started_at: startedAt.toISOString(),
    ended_at: endedAt?.toISOString() ?? null,
    duration_ms: endedAt ? Math.max(0, endedAt.getTime() - startedAt.getTime()) : null,
    url: `${view.baseUrl}/admin/work/${place}`,
    web_url: `${view.webUrl}/-/admin/work/${place}`,
  };
}

function presentSubject(row: SubjectRow, { baseUrl, webUrl }: View): WorkSubject {
  const isRun = row.number !== null;
  const path = row.repository.split("/").map(encodeURIComponent).join("/");
  const page = isRun
    ? `/pipelines/${row.number}`
    : row.id.startsWith("hook_")
      ? `/settings/webhooks/${row.id}`
      : "";
  return {
    repository: row.repository,
    repository_url: `${baseUrl}/repos/${path}`,
    pipeline_id: isRun ? row.id : null,
    pipeline_number: row.number,
    pipeline_status: row.status,
    web_url: `${webUrl}/${path}${page}`,
  };
}

function presentStep(step: PendingStep, { subjects }: View): WorkStep {
  const { name, state, attempt, attempts_allowed, since, nextAttemptAt, repositoryId, failure } = step;
  return {
    name,
    state,
    attempt,
    attempts_allowed,
    since: since.toISOString(),
    next_attempt_at: nextAttemptAt?.toISOString() ?? null,
    repository: (repositoryId && subjects.get(repositoryId)?.repository) ?? null,
    failure,
  };
}
