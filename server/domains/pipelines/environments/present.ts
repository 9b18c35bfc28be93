/** Environments and deployments as the REST interface shows them. Pure. */
import type {
  Deployment,
  DeploymentStatistics,
  Environment,
} from "@forgeline/schemas/environments/resource.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import type { RepositoryRef } from "../../policy/domain.ts";
import type { Period } from "../run-statistics/period.ts";
import { reasonSentence } from "../runs/reasons.ts";
import type { DeploymentFacts, DeploymentRow } from "./deployments.store.ts";
import type { EnvironmentRow } from "./environments.store.ts";
import type { FigureRow } from "./figures.store.ts";
import { protectionOf } from "./protection.ts";
import { runAddress } from "../runs/run-address.ts";

export interface EnvironmentView {
  addresses: Addresses;
  repository: RepositoryRef;
}

const pathOf = ({ owner, name }: RepositoryRef) => [owner, name].map(encodeURIComponent).join("/");

export function presentEnvironment(
  row: EnvironmentRow,
  { addresses, repository }: EnvironmentView,
): Environment {
  const { id, name, current } = row;
  const web = `${addresses.webUrl}/${pathOf(repository)}`;
  const pageOf = (number: number) => runAddress(addresses.webUrl, pathOf(repository), number);
  return {
    id,
    name,
    protection: protectionOf(row),
    allow_shell: row.allow_shell,
    confirmed_at: row.confirmed_at?.toISOString() ?? null,
    current: current && presentCurrent(current, web),
    waiting: row.waiting.map(({ reason, message, ...job }) => ({
      ...presentOpen(job, pageOf(job.number)),
      reason,
      message: message ?? reasonSentence(reason),
    })),
    deploying: row.deploying.map(({ status, ...job }) => ({
      ...presentOpen(job, pageOf(job.number)),
      status,
    })),
    url: `${addresses.baseUrl}/repos/${pathOf(repository)}/environments/${name}`,
    web_url: `${web}/environments/${name}`,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

/** `web`: address of the repository's pages. */
function presentCurrent(
  current: NonNullable<EnvironmentRow["current"]>,
  web: string,
): NonNullable<Environment["current"]> {
  const { before, sha } = current;
  return {
    deployment: current.deployment,
    pipeline: { id: current.pipeline_id, number: current.number },
    sha,
    ref: current.ref,
    environment_url: current.url,
    at: new Date(current.at).toISOString(),
    actor: current.actor,
    approved_by: current.approved_by,
    before: before && {
      ...before,
      compare_url: before.sha === sha ? null : `${web}/compare/${before.sha}...${sha}`,
    },
  };
}

function presentOpen(
  job: Omit<EnvironmentRow["deploying"][number], "status">,
  page: string,
): Omit<Environment["deploying"][number], "status"> {
  return {
    pipeline: { id: job.pipeline_id, number: job.number, web_url: page },
    job: { id: job.job_id, key: job.key, name: job.name },
    sha: job.sha,
    ref: job.ref,
    actor: job.actor,
  };
}

export function presentDeployment(
  row: DeploymentRow,
  { addresses, repository, environment }: EnvironmentView & { environment: string },
): Deployment {
  return {
    ...presentFacts(row, environment),
    is_current: row.is_current ?? false,
    pipeline: {
      id: row.pipeline_id,
      number: row.number,
      web_url: runAddress(addresses.webUrl, pathOf(repository), row.number),
    },
  };
}

/** What events keep: it holds no address of ours, which may change. */
export function presentFacts(
  row: DeploymentFacts,
  environment: string,
): Omit<Deployment, "is_current" | "pipeline"> {
  return {
    id: row.id,
    environment,
    status: row.status,
    job: { id: row.job_id, key: row.key, name: row.job_name },
    attempt: row.attempt,
    sha: row.sha,
    ref: row.ref,
    actor: row.username,
    approved_by: row.approved_by ?? [],
    environment_url: row.url,
    rollback_to: row.repeats_id,
    created_at: row.created_at.toISOString(),
    started_at: row.started_at?.toISOString() ?? null,
    finished_at: row.finished_at?.toISOString() ?? null,
  };
}

type Counted = DeploymentStatistics["by_day"][number];

const toMillisecond = (seconds: number) => Math.round(seconds * 1000) / 1000;
const toHundredth = (value: number) => Math.round(value * 100) / 100;

/** Days without a deployment are shown too. */
export function presentFigures(
  { environment, period }: { environment: string; period: Period },
  { total, days }: { total: FigureRow | undefined; days: readonly FigureRow[] },
): DeploymentStatistics {
  const { since, until } = period;
  const { day: _all, ...sums } = countedOf("", total);
  const { succeeded, failed, rolled_back: undone } = sums;
  const judged = succeeded + failed;
  const [p50, p90] = total?.lead_seconds ?? [];
  const restored = total?.restore_seconds ?? null;
  const byDay = new Map(days.map((row) => [row.day, row]));
  return {
    since,
    until,
    days: period.days,
    environment,
    ...sums,
    per_day: toHundredth(succeeded / period.days),
    per_week: toHundredth((succeeded / period.days) * 7),
    success_rate: judged === 0 ? null : succeeded / judged,
    failure_rate: judged === 0 ? null : (failed + undone) / judged,
    lead_time:
      p50 === undefined || p90 === undefined ? null : { p50: toMillisecond(p50), p90: toMillisecond(p90) },
    restore_time: restored === null ? null : toMillisecond(restored),
    by_day: period.all.map((day) => countedOf(day, byDay.get(day))),
  };
}

function countedOf(day: string, row: FigureRow | undefined): Counted {
  return {
    day,
    deployments: row?.deployments ?? 0,
    succeeded: row?.succeeded ?? 0,
    failed: row?.failed ?? 0,
    cancelled: row?.cancelled ?? 0,
    rolled_back: row?.undone ?? 0,
  };
}
