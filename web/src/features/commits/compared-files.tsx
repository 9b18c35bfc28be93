/** The files that the head of a comparison has changed, in the repository where it is. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { ChangedFilesView } from "../diffs/changed-files-view.tsx";
import { useRepositoryDiff } from "../diffs/use-repository-diff.ts";

export function ComparedFiles({ comparison }: { comparison: Schemas["Comparison"] }) {
  const { base_commit: base, head_commit: head, merge_base_commit: mergeBase } = comparison;
  const range = `${(mergeBase ?? base).sha}...${head.sha}`;
  return <ChangedFilesView source={useRepositoryDiff(range, head.sha)} />;
}
