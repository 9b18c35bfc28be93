/** Groups of runners as the REST interface shows them. */
import type { RunnerGroup } from "@forgeline/schemas/runner-groups/resource.ts";
import type { RunnerGroupRow } from "./runner-groups.store.ts";

export function presentRunnerGroup(
  row: RunnerGroupRow,
  { baseUrl, webUrl }: { baseUrl: string; webUrl: string },
): RunnerGroup {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    organization: row.organization,
    access: row.access,
    owners: row.ownerNames,
    repositories: row.repositoryNames,
    runners: row.runners,
    url: `${baseUrl}/runner-groups/${row.id}`,
    web_url: `${webUrl}${row.organization === null ? "" : `/orgs/${row.organization}`}/runners`,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
