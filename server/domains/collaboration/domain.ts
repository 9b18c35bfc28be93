/** What people do together in a repository: issues, merge requests, and what these share. */
import type { Config } from "../../config/config.ts";
import { joinLifecycles } from "../../platform/lifecycle.ts";
import type { Platform } from "../../platform/platform.ts";
import type { Accounts } from "../accounts/domain.ts";
import type { Hosting } from "../hosting/domain.ts";
import type { Operation } from "../operation/domain.ts";
import type { Pipelines } from "../pipelines/domain.ts";
import type { Policy } from "../policy/domain.ts";
import { createCodeOwnersService } from "./code-owners/service.ts";

export interface CollaborationDeps {
  config: Config;
  platform: Platform;
  operation: Operation;
  policy: Policy;
  accounts: Accounts;
  hosting: Hosting;
  pipelines: Pipelines;
}

export type Collaboration = ReturnType<typeof createCollaboration>;

export function createCollaboration({ platform, accounts, hosting }: CollaborationDeps) {
  return {
    codeOwners: createCodeOwnersService({ ...platform, ...accounts, ...hosting }),
    lifecycle: joinLifecycles([]),
  };
}

// What other domains and the edges may use.
export type { CodeOwnersService } from "./code-owners/service.ts";
