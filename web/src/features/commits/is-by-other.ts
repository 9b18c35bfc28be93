/** Whether a commit was made by somebody else than who wrote it. */
import type { Schemas } from "@forgeline/client/schemas.ts";

/** The verdict on a signature is about the committer, so whoever looks at it has to see both. */
export function isByOther({ author, committer }: Pick<Schemas["Commit"], "author" | "committer">): boolean {
  return author.email !== committer.email || author.name !== committer.name;
}
