/** Milestones as the REST interface shows them. */
import type { Milestone } from "@forgeline/schemas/milestones/resource.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import type { RepositoryRef } from "../../policy/domain.ts";
import type { MilestoneRow } from "./milestones.store.ts";

export function presentMilestone(
  row: MilestoneRow,
  repository: RepositoryRef,
  addresses: Addresses,
): Milestone {
  const path = [repository.owner, repository.name].map(encodeURIComponent).join("/");
  const { id, title, description, state, due_on, open_issues, closed_issues } = row;
  return {
    id,
    title,
    description,
    state,
    due_on,
    open_issues,
    closed_issues,
    closed_at: row.closed_at?.toISOString() ?? null,
    url: `${addresses.baseUrl}/repos/${path}/milestones/${id}`,
    web_url: `${addresses.webUrl}/${path}/milestones?state=${state}`,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
