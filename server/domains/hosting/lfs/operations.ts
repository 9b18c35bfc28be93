/** The permission that each Git LFS operation requires, one row each, for every way to call it. */
import type { Requirement } from "../../../platform/access/requirement.ts";

export type LfsOperation = "download" | "upload" | "listLocks" | "verifyLocks" | "lock" | "unlock";

const read = { access: "repo_read", scope: "repo:read" } as const;
const write = { access: "repo_write", scope: "repo:write" } as const;

export const lfsRequirements: Record<LfsOperation, Requirement> = {
  download: { ...read, jobs: "needed" },
  upload: { ...write, jobs: "allowed" },
  listLocks: read,
  // Git LFS asks for this before each push.
  verifyLocks: { ...write, jobs: "allowed" },
  lock: write,
  unlock: write,
};

/** What Git LFS asks for as part of a push. A lock is held in the whole repository, so it takes Write there. */
export const isOfPushes = (operation: LfsOperation): boolean =>
  operation === "upload" || operation === "verifyLocks";
