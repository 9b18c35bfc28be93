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
  const path = row.name.split("/").map(encodeURIComponent).join("/");
  const isOfOrganization = row.place === "organization";
  return {
    repository: isOfOrganization ? null : row.name,
    repository_url: isOfOrganization ? null : `${baseUrl}/repos/${path}`,
    organization: isOfOrganization ? row.name : null,
    pipeline_id: isRun ? row.id : null,
    pipeline_number: row.number,
    pipeline_status: row.status,
    web_url: `${webUrl}${isOfOrganization ? `/orgs/${path}${organizationPageOf(row)}` : `/${path}${pageOf(row)}`}`,
  };
}

/** Below the repository's. */
function pageOf({ id, number }: SubjectRow): string {
  if (number !== null) return `/pipelines/${number}`;
  return id.startsWith("hook_") ? `/settings/webhooks/${id}` : "";
}

/** Below the organization's. */
function organizationPageOf({ id }: SubjectRow): string {
  if (id.startsWith("exp_")) return "/audit-log/exports";
  return id.startsWith("strm_") ? "/audit-log/stream" : `/webhooks/${id}`;
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
    repository: (repositoryId && subjects.get(repositoryId)?.name) ?? null,
    failure,
  };
}
