/** What somebody has seen of a merge request: files marked as viewed, and the head that was seen last. */
import { z } from "zod";
import { objectId } from "../commits/resource.ts";

/** Of one user in one merge request; the oldest go first. */
export const maxViewedFiles = 10_000;

export const viewedPath = z
  .string()
  .min(1)
  .max(4096)
  // oxlint-disable-next-line no-control-regex -- it is what is refused
  .regex(/^[^\u0000]*$/, "A path cannot contain the character NUL.");

export const ViewedFiles = z
  .object({
    head_sha: objectId.describe("The head to which this applies."),
    viewed: z.array(z.string()).describe("Paths of files that were viewed as they are now."),
    changed: z
      .array(z.string())
      .describe("Paths of files that were viewed, and whose change is another one since."),
    files_count: z.number().int().describe("Files that the merge request changes; at most 10,000."),
  })
  .meta({ id: "ViewedFiles" });
export type ViewedFiles = z.infer<typeof ViewedFiles>;

export const ViewedFileSet = z
  .strictObject({
    path: viewedPath.describe("Of a file that the merge request changes."),
    head_sha: objectId.optional().describe("The head that was seen; default: the present one."),
  })
  .meta({ id: "ViewedFileSet", examples: [{ path: "src/upload.ts" }] });
export type ViewedFileSet = z.infer<typeof ViewedFileSet>;

export const SeenSet = z
  .strictObject({ sha: objectId.describe("The head of the merge request, or another one of its commits.") })
  .meta({ id: "SeenSet", examples: [{ sha: "3f2a9c1d5e8b7a6f4c3d2e1f0a9b8c7d6e5f4a3b" }] });
export type SeenSet = z.infer<typeof SeenSet>;

export const ChangesSince = z
  .object({
    status: z
      .enum(["none", "unchanged", "changed", "gone"])
      .describe(
        "`none`: the caller has not looked at it, or not reviewed it. `unchanged`: nothing of what it proposes is another since. `gone`: that commit is not kept any more.",
      ),
    since_sha: objectId.nullable().describe("The head of then; null for `none`."),
    head_sha: objectId,
    exact: z
      .boolean()
      .describe(
        "Only what the merge request itself changed is shown. False where it was rebased and what it had then cannot be carried over without conflicts: changes of the target branch are then among the others.",
      ),
  })
  .meta({ id: "ChangesSince" });
export type ChangesSince = z.infer<typeof ChangesSince>;
