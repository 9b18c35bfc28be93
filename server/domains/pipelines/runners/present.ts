/** Runners and registration tokens as the REST interface shows them. */
import type { z } from "zod";
import type { RegistrationToken, Runner, RunnerWithJobs } from "@forgeline/schemas/runners/resource.ts";
import { withExecutorLabel } from "@forgeline/schemas/runners/executor.ts";
import type { RunnerLimits } from "@forgeline/schemas/runner-protocol/limits.ts";
import { serverVersion } from "../../../platform/server-version.ts";
import { isOutdated } from "./outdated.ts";
import { runAddress } from "../runs/run-address.ts";
import type { RegistrationTokenRow, RunnerJobRow, RunnerRow } from "./runners.store.ts";
import type { RunnerScope } from "./scope.ts";

export function presentRunner(
  row: RunnerRow,
  shown: { baseUrl: string; webUrl: string; unreachableMs: number },
): Runner {
  return {
    id: row.id,
    name: row.name,
    status: statusOf(row, shown.unreachableMs),
    repository: row.owner && row.repository ? `${row.owner}/${row.repository}` : null,
    organization: row.organization,
    group:
      row.group_id === null || row.group_name === null ? null : { id: row.group_id, name: row.group_name },
    labels: withExecutorLabel(row.labels, row.executor),
    executor: row.executor,
    engine: row.engine,
    requires_signatures: row.requires_signatures,
    takes_privileged: row.takes_privileged,
    image_cache_bytes: row.image_cache_bytes,
    capacity: row.capacity,
    running: row.running,
    paused: row.paused,
    draining: row.draining || (row.agent_draining && row.problem === null),
    problem: row.problem,
    drain_deadline: row.drain_deadline?.toISOString() ?? null,
    one_job: row.one_job,
    version: row.version,
    outdated: isOutdated(row.version, serverVersion),
    os: row.os,
    arch: row.arch,
    hostname: row.hostname,
    load: row.load,
    free_disk_bytes: row.free_disk_bytes,
    limits: row.limits && presentLimits(row.limits),
    egress: presentEgress(row.egress),
    connected_at: row.connected_at?.toISOString() ?? null,
    last_seen_at: row.last_seen_at?.toISOString() ?? null,
    duplicate_seen_at: row.duplicate_seen_at?.toISOString() ?? null,
    url: `${shown.baseUrl}/runners/${row.id}`,
    web_url: `${shown.webUrl}/runners/${row.id}`,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

export function presentRunnerWithJobs(
  { row, jobs }: { row: RunnerRow; jobs: readonly RunnerJobRow[] },
  shown: Parameters<typeof presentRunner>[1],
): RunnerWithJobs {
  return {
    ...presentRunner(row, shown),
    jobs: jobs.map(({ repository, pipeline, job, attempt, startedAt }) => ({
      repository,
      pipeline,
      job,
      attempt,
      started_at: startedAt?.toISOString() ?? null,
      run_web_url: runAddress(shown.webUrl, repository, pipeline),
    })),
  };
}

/** With its value, which is not stored. */
export function presentRegistrationToken(
  { row, token }: { row: RegistrationTokenRow; token: string },
  scope: RunnerScope,
  addresses: { baseUrl: string; webUrl: string },
): z.input<typeof RegistrationToken> {
  const created = row.created_at.toISOString();
  const repository = scope && "repository" in scope ? scope.repository : null;
  const organization = scope && "organization" in scope ? scope.organization.name : null;
  return {
    id: row.id,
    token,
    repository: repository && `${repository.owner}/${repository.name}`,
    organization,
    group: row.group_id,
    uses: row.uses_left,
    expires_at: row.expires_at.toISOString(),
    url: `${addresses.baseUrl}/runners/registration-tokens/${row.id}`,
    web_url: `${addresses.webUrl}${organization === null ? "" : `/orgs/${organization}`}/runners`,
    created_at: created,
    updated_at: created,
  };
}

function presentLimits(limits: RunnerLimits): NonNullable<Runner["limits"]> {
  return {
    memory_bytes: limits.memoryBytes,
    cpu: limits.cpu,
    disk_bytes: limits.diskBytes,
    files: limits.files,
    processes: limits.processes,
    open_files: limits.openFiles,
    step_log_bytes: limits.stepLogBytes,
    job_seconds: limits.jobMs === null ? null : Math.floor(limits.jobMs / 1000),
  };
}

/** The most important status first: gone, silent, unable, then paused or draining. */
export function statusOf(
  row: Pick<RunnerRow, "connected" | "seconds_unseen" | "problem" | "paused" | "draining" | "agent_draining">,
  unreachableMs: number,
): Runner["status"] {
  if (!row.connected) return "offline";
  if ((row.seconds_unseen ?? 0) * 1000 > unreachableMs) return "unreachable";
  if (row.problem !== null) return "not_ready";
  if (row.draining || row.agent_draining) return "draining";
  return row.paused ? "paused" : "online";
}

/** Null: of a runner of before this was asked. */
function presentEgress(egress: RunnerRow["egress"]): Runner["egress"] {
  return egress ?? { state: "unknown", reason: null, allow: [] };
}
