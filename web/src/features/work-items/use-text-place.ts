/** Where the texts of issues and merge requests stand: paths in them are files of the default branch. */
import type { MarkdownPlace } from "../markdown/targets.ts";
import { useRepository } from "../repositories/use-repository.ts";

export function useTextPlace(): MarkdownPlace {
  const { full_name, default_branch: ref } = useRepository();
  return { repository: { full_name }, ref, references: true };
}
