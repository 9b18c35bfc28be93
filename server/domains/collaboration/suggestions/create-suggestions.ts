/** Wires suggested changes. */
import type { Platform } from "../../../platform/platform.ts";
import type { Accounts } from "../../accounts/domain.ts";
import type { Hosting } from "../../hosting/domain.ts";
import { createSuggestionService, type SuggestionServiceDeps } from "./service.ts";

export interface SuggestionParts extends Pick<
  SuggestionServiceDeps,
  "mergeRequests" | "sourceBranches" | "threads"
> {
  platform: Platform;
  accounts: Pick<Accounts, "users">;
  hosting: Pick<Hosting, "commits" | "signCommit">;
}

export function createSuggestions({ platform, accounts, hosting, ...parts }: SuggestionParts) {
  const { users } = accounts;
  const { commits, signCommit } = hosting;
  const deps = { ...platform, users, commits, signCommit, ...parts };
  return { suggestions: createSuggestionService(deps) };
}
