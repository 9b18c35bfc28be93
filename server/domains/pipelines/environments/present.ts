/** Environments and deployments as the REST interface shows them. Pure. */
import type { Deployment, Environment } from "@forgeline/schemas/environments/resource.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import type { RepositoryRef } from "../../policy/domain.ts";
import type { DeploymentRow } from "./deployments.store.ts";
import type { EnvironmentRow } from "./environments.store.ts";
import { protectionOf } from "./protection.ts";

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
  return {
    id,
    name,
    protection: protectionOf(row),
    allow_shell: row.allow_shell,
    current: current && {
      deployment: current.deployment,
      pipeline: { id: current.pipeline_id, number: current.number },
      sha: current.sha,
      ref: current.ref,
      environment_url: current.url,
      at: new Date(current.at).toISOString(),
    },
    url: `${addresses.baseUrl}/repos/${pathOf(repository)}/environments/${name}`,
    web_url: `${addresses.webUrl}/${pathOf(repository)}/environments/${name}`,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

export function presentDeployment(
  row: DeploymentRow,
  { addresses, repository, environment }: EnvironmentView & { environment: string },
): Deployment {
  return {
    id: row.id,
    environment,
    status: row.status,
    is_current: row.is_current ?? false,
    pipeline: {
      id: row.pipeline_id,
      number: row.number,
      web_url: `${addresses.webUrl}/${pathOf(repository)}/pipelines/${row.number}`,
    },
    job: { id: row.job_id, key: row.key, name: row.job_name },
    attempt: row.attempt,
    sha: row.sha,
    ref: row.ref,
    actor: row.username,
    environment_url: row.url,
    rollback_to: row.repeats_id,
    created_at: row.created_at.toISOString(),
    started_at: row.started_at?.toISOString() ?? null,
    finished_at: row.finished_at?.toISOString() ?? null,
  };
}
