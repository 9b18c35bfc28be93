/** Settings of the configuration about artifacts of jobs. */
import { z } from "zod";
import { maxArtifactBytes } from "@forgeline/schemas/artifacts/limits.ts";

export const artifactSettings = {
  FORGELINE_ARTIFACT_JOB_BYTES: z.coerce
    .number()
    .int()
    .min(0)
    .max(maxArtifactBytes)
    .default(1_073_741_824)
    .describe("Maximum size of all artifacts of one job together, in bytes."),
  FORGELINE_ARTIFACT_REPOSITORY_BYTES: z.coerce
    .number()
    .int()
    .min(0)
    .default(10_737_418_240)
    .describe("Maximum size of all artifacts of one repository together, in bytes."),
};

export interface ArtifactLimits {
  jobBytes: number;
  repositoryBytes: number;
}

export function toArtifactLimits(env: z.infer<z.ZodObject<typeof artifactSettings>>): ArtifactLimits {
  return {
    jobBytes: env.FORGELINE_ARTIFACT_JOB_BYTES,
    repositoryBytes: env.FORGELINE_ARTIFACT_REPOSITORY_BYTES,
  };
}
