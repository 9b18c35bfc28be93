/** Whose each table of the domain `pipelines` is; part of `table-owners.ts`. */
import { accounts, audit, only, type TableRule } from "./table-rule.ts";

export const pipelineTables: Readonly<Record<string, Readonly<Record<string, TableRule>>>> = {
  "domains/pipelines/approvals": {
    approval_gates: only,
    approvals: only,
  },
  "domains/pipelines/artifacts": {
    artifacts: only,
  },
  "domains/pipelines/caches": {
    caches: only,
    cache_uses: only,
  },
  "domains/pipelines/concurrency": {
    concurrency_slots: only,
  },
  "domains/pipelines/id-tokens": {
    id_token_keys: only,
    id_tokens: only,
  },
  "domains/pipelines/signing-keys": {
    job_signing_keys: only,
    signed_jobs: only,
  },
  "domains/pipelines/environments": {
    deployments: only,
    environments: only,
  },
  "domains/pipelines/leases": {
    server_heartbeats: only,
    server_uptime: only,
  },
  "domains/pipelines/logs": {
    log_chunks: only,
    log_segments: only,
    log_stream_tickets: only,
    log_streams: only,
  },
  "domains/pipelines/merge-request-runs": {
    fork_decisions: only,
    merge_request_subjects: only,
    merged_results: only,
  },
  "domains/pipelines/trusted-authors": {
    trusted_authors: only,
  },
  "domains/pipelines/pipeline-limits": {
    pipeline_limits: only,
  },
  "domains/pipelines/placements": {
    placements: only,
  },
  "domains/pipelines/privileges": {
    privileged_repositories: only,
  },
  "domains/pipelines/reports": {
    annotations: only,
    coverage_files: only,
    job_reports: only,
    test_results: only,
    tests: only,
  },
  "domains/pipelines/retention": {
    retention_days: { writtenBy: "nobody: it is a view of `repositories` and `retention_rules`" },
    retention_rules: only,
  },
  "domains/pipelines/runner-groups": {
    runner_group_access: only,
    runner_groups: only,
  },
  "domains/pipelines/runners": {
    runner_registration_tokens: only,
    runners: {
      alsoWrittenBy: {
        "domains/pipelines/leases":
          "a heartbeat renews runner and leases in one statement, and an accepted offer marks a runner for one job",
      },
      alsoReadBy: { operation: audit },
    },
  },
  "domains/pipelines/run-statistics": {
    run_figures: only,
  },
  "domains/pipelines/runs": {
    job_attempts: {
      alsoWrittenBy: {
        "domains/pipelines/leases": "who has an attempt, until when, stands in its row",
        "domains/pipelines/placements": "the runner of a stage stands in the labels of its queued attempts",
        "domains/pipelines/runners": "who revokes a runner ends its leases in the same statement",
      },
      alsoReadBy: { accounts },
    },
    jobs: { alsoReadBy: { accounts } },
    pipelines: {
      readBy: ["automation", "collaboration", "upkeep"],
      alsoReadBy: { accounts, operation: audit },
    },
    stages: only,
    steps: only,
    transitions: only,
  },
  "domains/pipelines/shells": {
    shells: only,
    shell_parcels: only,
  },
  "domains/pipelines/variables": {
    shared_variables: only,
  },
  "domains/pipelines/secrets": {
    secret_uses: only,
    secret_values: only,
    secrets: only,
  },
};
