/** What each operation of Git LFS asks of its caller; one row each, whatever way it comes through. */
import type { Requirement } from "../../../platform/access/requirement.ts";

export type LfsOperation = "download" | "upload" | "listLocks" | "verifyLocks" | "lock" | "unlock";

const read = { access: "repo_read", scope: "repo:read" } as const;
const write = { access: "repo_write", scope: "repo:write" } as const;

export const lfsRequirements: Record<LfsOperation, Requirement> = {
  download: read,
  upload: write,
  listLocks: read,
  verifyLocks: write,
  lock: write,
  unlock: write,
};
