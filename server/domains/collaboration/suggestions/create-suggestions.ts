/** Wires suggested changes. */
import type { Platform } from "../../../platform/platform.ts";
import type { Accounts } from "../../accounts/domain.ts";
import type { Hosting } from "../../hosting/domain.ts";
import { createSuggestionService, type SuggestionServiceDeps } from "./service.ts";

export interface SuggestionParts extends Pick<SuggestionServiceDeps, "mergeRequests" | "threads"> {
  platform: Platform;
  accounts: Pick<Accounts, "users">;
  hosting: Pick<Hosting, "commits" | "pushes" | "upstreams">;
}

export function createSuggestions({ platform, accounts, hosting, mergeRequests, threads }: SuggestionParts) {
  const { users } = accounts;
  const { commits, pushes, upstreams } = hosting;
  const deps = { ...platform, users, commits, pushes, upstreams, mergeRequests, threads };
  return { suggestions: createSuggestionService(deps) };
}
