/** What a search finds, as the REST interface shows it. */
import type { CloseReason } from "@forgeline/schemas/issues/resource.ts";
import type { FoundItem } from "@forgeline/schemas/search/resource.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import { presentEventUser } from "../../accounts/domain.ts";
import { repositoryAddress } from "../../hosting/domain.ts";
import { namesOf, presentImportedAuthor, presentPersonOrNull } from "../work-items/present.ts";
import type { FoundRow } from "./search.store.ts";

const places = { issue: "issues", merge_request: "merge-requests" } as const;

export function presentFoundItem(row: FoundRow, addresses: Addresses): FoundItem {
  const address = repositoryAddress(addresses, namesOf(row.full_name));
  const place = [places[row.kind], String(row.number)] as const;
  return {
    id: row.id,
    type: row.kind,
    repository: { id: row.repository_id, full_name: row.full_name },
    number: row.number,
    title: row.title,
    body: row.body,
    state: row.state,
    state_reason: row.state_reason as CloseReason | null,
    draft: row.draft,
    author: presentPersonOrNull(row.author, addresses),
    imported_author: presentImportedAuthor(row.imported_author),
    labels: row.labels,
    assignees: row.assignees.map((user) => presentEventUser(user, addresses)),
    milestone: row.milestone,
    due_on: row.due_on,
    locked: row.locked,
    comments_count: row.comments_count,
    closed_at: row.closed_at && row.closed_at.toISOString(),
    url: address.api(...place),
    web_url: address.web(...place),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
