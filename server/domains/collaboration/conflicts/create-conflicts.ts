/** Wires conflicts of merge requests. */
import type { Platform } from "../../../platform/platform.ts";
import type { Accounts } from "../../accounts/domain.ts";
import type { Hosting } from "../../hosting/domain.ts";
import { createConflictService, type ConflictServiceDeps } from "./service.ts";

export interface ConflictParts extends Pick<ConflictServiceDeps, "mergeRequests" | "sourceBranches"> {
  platform: Platform;
  accounts: Pick<Accounts, "users">;
  hosting: Pick<Hosting, "commits" | "signCommit">;
}

export function createConflicts({
  platform,
  accounts,
  hosting,
  mergeRequests,
  sourceBranches,
}: ConflictParts) {
  const { users } = accounts;
  const { commits, signCommit } = hosting;
  const deps = { ...platform, users, commits, signCommit, mergeRequests, sourceBranches };
  return { conflicts: createConflictService(deps) };
}
