/** Artifacts of a job as an author writes them: files that outlive the job. */
import { z } from "zod";
import { pipelineLimits } from "../pipeline-limits/limits.ts";
import { FileDuration, FileStrings } from "./file-values.ts";

const expectedName = "a name of 1 to 128 characters";

export const FileArtifact = z
  .strictObject({
    name: z
      .string()
      .min(1, expectedName)
      .max(128, expectedName)
      .describe("Name of the artifact: letters, digits, ., _ and -. May hold ${{ }}, such as matrix values."),
    paths: FileStrings.describe(
      "Files and directories relative to the workspace. * stops at /, ** does not; !x excludes.",
    ),
    exclude: FileStrings.optional().describe("Files and directories that are left out."),
    expire: FileDuration.optional().describe(
      "How long it is kept. Default 30d; the newest of its branch is kept longer.",
    ),
    when: z
      .enum(["success", "failure", "always"])
      .optional()
      .describe("After which steps it is uploaded: those that succeeded, failed, or any. Default success."),
    required: z
      .boolean()
      .optional()
      .describe("Fail the job (failed/artifact_required) when no file matches. Default false: a warning."),
  })
  .meta({ id: "artifact", description: "Files that are kept after the job and can be given to other jobs." });
export type FileArtifact = z.infer<typeof FileArtifact>;

export const FileArtifacts = z
  .array(FileArtifact)
  .meta({ id: "artifacts", maxItems: pipelineLimits.artifacts.highest });
