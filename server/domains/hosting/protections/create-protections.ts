/** Wires the rules for branches and tags, and the guard that holds pushes to them. */
import type { Database } from "../../../platform/db/database.ts";
import { createRefGuard, type RefGuard, type RefGuardDeps } from "./guard.ts";
import { createProtectionService, type ProtectionService } from "./service.ts";
import { hasRules, rulesFor } from "./protections.store.ts";

type Deps = Omit<RefGuardDeps, "hasRules" | "rulesFor"> & { db: Database };

export function createProtections(deps: Deps): {
  branchProtections: ProtectionService;
  tagProtections: ProtectionService;
  refGuard: RefGuard;
} {
  const { db } = deps;
  return {
    branchProtections: createProtectionService(deps, {
      kind: "branch",
      audited: "security.branch_protection_change",
      fields: { users: "push_users", teams: "push_teams" },
    }),
    tagProtections: createProtectionService(deps, {
      kind: "tag",
      audited: "security.tag_protection_change",
      fields: { users: "create_users", teams: "create_teams" },
    }),
    refGuard: createRefGuard({
      ...deps,
      hasRules: (repositoryId) => hasRules(db, repositoryId),
      rulesFor: (repositoryId, userId) => rulesFor(db, repositoryId, userId),
    }),
  };
}
