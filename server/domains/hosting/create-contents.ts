/** What reads and changes the contents of a repository: branches, commits and files. */
import type { Platform } from "../../platform/platform.ts";
import type { Accounts } from "../accounts/domain.ts";
import { createBranchService } from "./branches/service.ts";
import { createBranchWriter } from "./branches/writer.ts";
import { createCommitService } from "./commits/service.ts";
import { createBlameService } from "./commits/blame.ts";
import { createCommitComparison } from "./commits/comparison.ts";
import { createChangedFiles } from "./commits/changed-files.ts";
import { createPushedCommits } from "./commits/pushed-commits.ts";
import { createArchives } from "./contents/archives.ts";
import { createRawFiles } from "./contents/raw-files.ts";
import { createContentsReader } from "./contents/reader.ts";
import { createContentsService } from "./contents/service.ts";
import { createContentsWriter } from "./contents/writer.ts";
import { createBringers } from "./pushes/bringers.ts";
import type { CommitSignatures } from "./commits/create-signatures.ts";
import type { Authorizer } from "../policy/domain.ts";
import type { ForkNetwork } from "./forks/network.ts";
import type { createProtections } from "./protections/create-protections.ts";
import type { PushService } from "./pushes/service.ts";

export interface ContentParts extends Platform, CommitSignatures, ReturnType<typeof createProtections> {
  runGit: Platform["git"]["run"];
  registry: Platform["metrics"];
  pushes: PushService;
  users: Accounts["users"];
  authorizer: Authorizer;
  forkNetwork: ForkNetwork;
}

export function createContents(parts: ContentParts) {
  const commits = createCommitService(parts);
  const branches = createBranchService({ ...parts, commits });
  const reader = createContentsReader({ ...parts, commits });
  const shared = { ...parts, commits, reader };
  return {
    commits,
    pushedCommits: createPushedCommits(shared),
    bringers: createBringers(),
    commitComparison: createCommitComparison(shared),
    changedFiles: createChangedFiles(shared),
    blame: createBlameService(shared),
    contents: createContentsService(shared),
    contentsWriter: createContentsWriter(shared),
    rawFiles: createRawFiles(shared),
    archives: createArchives(shared),
    branches,
    branchWriter: createBranchWriter({ ...parts, branches }),
  };
}
