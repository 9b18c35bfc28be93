/**
 * Which entries a run sees, and whose those are that it saves. A run whose commits are not trusted reads those of others and
 * writes only to a scope of its own, which nobody else reads. Pure.
 */
import type { CacheScope } from "@forgeline/schemas/caches/resource.ts";
import type { PlanCache } from "@forgeline/schemas/pipeline-file/plan-cache.ts";
import { mergeQueueRefs } from "../../../platform/git/refs/names.ts";
import { savesForOthers, type SourceTrust } from "../runs/source-trust.ts";

const allBranches = "repository";
const untrusted = "untrusted:";

export interface CacheScopes {
  /** Where the run saves. */
  own: string;
  /** Where it looks, in this order. */
  seen: readonly string[];
}

export function cacheScopes(
  run: { trust: SourceTrust; ref: string; defaultBranch: string },
  scope: PlanCache["scope"],
): CacheScopes {
  const shared = scope === "repo" ? [allBranches] : [...placesOf(run.ref), `refs/heads/${run.defaultBranch}`];
  if (savesForOthers(run.trust)) return { own: shared[0] ?? run.ref, seen: [...new Set(shared)] };
  const own = `${untrusted}${run.ref}`;
  return { own, seen: [...new Set([own, ...shared])] };
}

/**
 * Of the run itself first. Every batch of a merge queue has a ref of its own, which no later run has: those of one queue share their
 * place, and begin with what the branch has saved.
 */
function placesOf(ref: string): string[] {
  if (!ref.startsWith(`${mergeQueueRefs}/`)) return [ref];
  const queue = ref.slice(0, ref.lastIndexOf("/"));
  return [queue, `refs/heads/${queue.slice(mergeQueueRefs.length + 1)}`];
}

/** As people see it. */
export function shownScope(scope: string): { scope: CacheScope; ref: string | null } {
  if (scope === allBranches) return { scope: "repository", ref: null };
  if (scope.startsWith(untrusted)) return { scope: "untrusted", ref: scope.slice(untrusted.length) };
  return { scope: scope.startsWith("refs/tags/") ? "tag" : "branch", ref: scope };
}
