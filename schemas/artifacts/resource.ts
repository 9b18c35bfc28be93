/** Artifacts as REST shows them. */
import { z } from "zod";
import { idOf } from "../core/ids.ts";
import { timestamp } from "../core/time.ts";

export const Artifact = z
  .object({
    id: idOf("art"),
    url: z.string(),
    web_url: z.string().describe("The page of its run."),
    name: z.string(),
    job: z
      .object({
        id: idOf("job"),
        key: z.string().describe("Its id in the file."),
        name: z.string(),
        label: z.string().describe("Its key; of a combination of a matrix, with its values."),
      })
      .describe("The job that left it."),
    size: z.int().describe("Bytes of the ZIP file."),
    files_count: z.int(),
    sha256: z.string().describe("Of the ZIP file."),
    created_at: timestamp,
    updated_at: timestamp.describe("When its job ended, and it could be seen."),
    expires_at: timestamp.describe(
      "When it is removed. For the newest of its name on a branch that still exists, this time moves on.",
    ),
  })
  .meta({ id: "Artifact" });
export type Artifact = z.infer<typeof Artifact>;

export const ArtifactFile = z
  .object({
    path: z.string().describe("Relative to the workspace of the job."),
    type: z.enum(["file", "symlink"]),
    size: z.int().describe("Bytes."),
    executable: z.boolean(),
    download_url: z.string().describe("Gives its bytes."),
  })
  .meta({ id: "ArtifactFile" });
export type ArtifactFile = z.infer<typeof ArtifactFile>;
