/** Boards as the REST interface shows them. */
import type { Board, BoardColumn } from "@forgeline/schemas/boards/resource.ts";
import { levelCovers } from "@forgeline/schemas/core/repository-levels.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import { repositoryAddress } from "../../hosting/domain.ts";
import type { Viewer } from "../work-items/may-change.ts";
import type { BoardRow } from "./boards.store.ts";

export interface BoardView {
  repository: { owner: string; name: string };
  viewer: Viewer;
  addresses: Addresses;
}

export function presentBoard(row: BoardRow, { repository, viewer, addresses }: BoardView): Board {
  const address = repositoryAddress(addresses, repository);
  const has = (level: "triage" | "maintain") =>
    viewer.userId !== null && !viewer.archived && levelCovers(viewer.level, level);
  const ofLabels = row.labels.map(({ max_issues, ...label }): BoardColumn => ({
    id: label.id,
    kind: "label",
    label,
    max_issues,
  }));
  return {
    id: row.id,
    name: row.name,
    filter: row.filter,
    columns: [
      { id: "open", kind: "open", label: null, max_issues: null },
      ...ofLabels,
      { id: "closed", kind: "closed", label: null, max_issues: null },
    ],
    viewer_may: { manage: has("maintain"), move: has("triage") },
    url: address.api("boards", row.id),
    web_url: address.web("boards", row.id),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
