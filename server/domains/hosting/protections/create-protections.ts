/** Wires the rules for branches and tags, and the guard that holds pushes to them. */
import type { Database } from "../../../platform/db/database.ts";
import { createRefGuard, type RefGuard, type RefGuardDeps } from "./guard.ts";
import { createProtectionService, type ProtectionService } from "./service.ts";
import { matchesGlob } from "@forgeline/compiler/glob.ts";
import { createUnverifiedChanges, type UnverifiedChanges } from "./unverified-changes.ts";
import { hasRules, rulesFor, type Rule } from "./protections.store.ts";

export interface ReadRules {
  all: readonly Rule[];
  matching(branch: string): Rule[];
}

export interface BranchRules {
  /** The rules that apply to a branch now, and to this user there. */
  matching(repositoryId: string, branch: string, userId: string | null): Promise<Rule[]>;
  /** The same for as many branches as somebody asks about, read once. */
  read(repositoryId: string, userId: string | null): Promise<ReadRules>;
}

type Deps = Omit<RefGuardDeps, "hasRules" | "rulesFor"> & { db: Database };

export function createProtections(deps: Deps): {
  branchProtections: ProtectionService;
  tagProtections: ProtectionService;
  refGuard: RefGuard;
  branchRules: BranchRules;
  unverifiedChanges: UnverifiedChanges;
} {
  const { db } = deps;
  async function read(repositoryId: string, userId: string | null) {
    const all = (await rulesFor(db, repositoryId, userId)).filter(({ kind }) => kind === "branch");
    return { all, matching: (branch: string) => all.filter(({ pattern }) => matchesGlob(pattern, branch)) };
  }
  return {
    branchProtections: createProtectionService(deps, {
      kind: "branch",
      audited: "security.branch_protection_change",
      fields: {
        push: { users: "push_users", teams: "push_teams" },
        merge: { users: "merge_users", teams: "merge_teams" },
        bypass: { users: "bypass_users", teams: "bypass_teams" },
      },
    }),
    tagProtections: createProtectionService(deps, {
      kind: "tag",
      audited: "security.tag_protection_change",
      fields: { push: { users: "create_users", teams: "create_teams" } },
    }),
    refGuard: createRefGuard({
      ...deps,
      hasRules: (repositoryId) => hasRules(db, repositoryId),
      rulesFor: (repositoryId, userId) => rulesFor(db, repositoryId, userId),
    }),
    unverifiedChanges: createUnverifiedChanges(deps),
    branchRules: {
      matching: async (repositoryId, branch, userId) => (await read(repositoryId, userId)).matching(branch),
      read,
    },
  };
}
