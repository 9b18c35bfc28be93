/**
 * Types of columns of which the database knows less: what a JSON column holds, and words that no CHECK lists. `from` is where
 * the type is declared: a module of a package, or a path from the checkout's root.
 */
export interface ColumnType {
  type: string;
  from?: string;
}

const rateCategory: ColumnType = { type: "RateCategory", from: "@forgeline/schemas/core/rate-category.ts" };
const scopes: ColumnType = { type: "Scope[]", from: "@forgeline/schemas/core/scopes.ts" };
const status: ColumnType = { type: "Status", from: "@forgeline/schemas/pipelines/status.ts" };
const texts: ColumnType = { type: "Record<string, string>" };

export const columnTypes: Readonly<Record<string, ColumnType>> = {
  "access_tokens.scopes": scopes,
  "job_attempts.token_scopes": scopes,
  "approval_gates.rule": {
    type: "PlanApproval",
    from: "@forgeline/schemas/pipeline-file/plan-approval.ts",
  },
  "audit_log.details": { type: "Record<string, unknown>" },
  "audit_log.geo": { type: `AuditEntry["geo"]`, from: "@forgeline/schemas/audit/resource.ts" },
  "bots.scopes": scopes,
  "idempotency_keys.headers": texts,
  "instance_settings.value": {
    type: `InstanceSettings["sign_up"]`,
    from: "@forgeline/schemas/instance/routes.ts",
  },
  "job_attempts.cancel": { type: "CancelColumn", from: "server/domains/pipelines/leases/leases.ts" },
  "job_attempts.job": { type: "PlanJob", from: "@forgeline/schemas/pipeline-file/plan.ts" },
  "job_attempts.outputs": texts,
  "job_attempts.status": status,
  "jobs.outputs": texts,
  "jobs.matrix": texts,
  "jobs.status": status,
  "job_reports.problems": {
    type: "FoundProblem[]",
    from: "server/domains/pipelines/reports/parse/found.ts",
  },
  "log_chunks.time_runs": { type: "[lines: number, timeMs: number][]" },
  "log_segments.index": { type: "Block[]", from: "server/domains/pipelines/logs/lost-frames.ts" },
  "oauth_apps.scopes": scopes,
  "oauth_codes.scopes": scopes,
  "oauth_families.scopes": scopes,
  "oauth_grants.scopes": scopes,
  "pipelines.diagnostics": { type: "Diagnostic[]", from: "@forgeline/schemas/pipeline-file/diagnostic.ts" },
  "pipelines.event": { type: "PipelineEvent", from: "@forgeline/schemas/pipeline-file/event.ts" },
  "pipelines.foreseen": { type: "Foreseen[]", from: "@forgeline/schemas/pipelines/foreseen.ts" },
  "pipelines.inputs": { type: "Record<string, string | number | boolean | null>" },
  "pipelines.plan": { type: "Plan", from: "@forgeline/schemas/pipeline-file/plan.ts" },
  "pipelines.status": status,
  "pipelines.templates": { type: "RunTemplate[]", from: "@forgeline/schemas/pipelines/template.ts" },
  "pipelines.variables": texts,
  "pushes.updates": { type: "RefUpdate[]", from: "server/platform/git/refs/ref-update.ts" },
  "signed_jobs.signatures": {
    type: `SignedJob["signatures"]`,
    from: "@forgeline/schemas/runner-protocol/signed-job.ts",
  },
  "team_routings.rules": {
    type: "StoredRule[]",
    from: "server/domains/collaboration/team-routing/decide-target.ts",
  },
  "rate_limit_overrides.category": rateCategory,
  "rate_limit_windows.category": rateCategory,
  "repository_dependencies.scope": {
    type: "DependencyScope",
    from: "@forgeline/schemas/statistics/dependencies.ts",
  },
  "repository_manifests.ecosystem": {
    type: "Ecosystem",
    from: "@forgeline/schemas/statistics/dependencies.ts",
  },
  "runners.egress": { type: "EgressReport", from: "@forgeline/schemas/runner-protocol/egress.ts" },
  "runners.limits": { type: "RunnerLimits", from: "@forgeline/schemas/runner-protocol/limits.ts" },
  "stages.status": status,
  "steps.status": status,
  "transitions.new_status": status,
  "transitions.old_status": status,
  "users.plan": { type: `OwnUser["plan"]`, from: "@forgeline/schemas/users/resource.ts" },
};

/** Where the types of the table that stand in this text are declared, without those that need no import. */
export function originsIn(text: string): { name: string; from: string }[] {
  const origins = new Map<string, string>();
  for (const { type, from } of Object.values(columnTypes)) {
    const name = type.replace(/\W.*$/, "");
    if (from === undefined || !isTypeIn(name, text)) continue;
    if ((origins.get(name) ?? from) !== from) throw new Error(`${name} is declared in more than one place`);
    origins.set(name, from);
  }
  return [...origins].map(([name, from]) => ({ name, from }));
}

/** Neither a word in quotes nor the name of a field. */
function isTypeIn(name: string, text: string): boolean {
  return new RegExp(`(?<![\\w"])${name}(?![\\w":])`).test(text);
}
