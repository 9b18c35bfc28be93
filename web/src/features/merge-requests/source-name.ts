/** How a source branch is called where it may be in another repository. */
import type { MergeRequest } from "./merge-request.ts";

type OfSource = Pick<MergeRequest, "source_branch" | "source_repo">;

/** `targetId`: of the repository that the merge request is in. */
export function isForeign({ source_repo: source }: OfSource, targetId: string): boolean {
  return source?.id !== targetId;
}

/** `fix`, or `ann:fix` in a fork of ann's; of a repository that is gone, the branch alone. */
export function sourceName(mergeRequest: OfSource, targetId: string): string {
  const { source_branch: branch, source_repo: source } = mergeRequest;
  if (source === null || !isForeign(mergeRequest, targetId)) return branch;
  return `${source.full_name.split("/", 1)[0]}:${branch}`;
}
