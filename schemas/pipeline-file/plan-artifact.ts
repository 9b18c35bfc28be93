/** Artifacts in a plan, with every default filled in. */
import { z } from "zod";

export const PlanArtifact = z.object({
  /** May hold `${{ }}` until the job is queued. */
  name: z.string(),
  /** Globs relative to the workspace, `!` excludes. */
  paths: z.array(z.string()),
  exclude: z.array(z.string()),
  expireMs: z.number().int().positive(),
  when: z.enum(["success", "failure", "always"]),
  required: z.boolean(),
});
export type PlanArtifact = z.infer<typeof PlanArtifact>;

/** Which artifacts of a needed job are put into the workspace: all of them, or those of these names. */
export const NeededArtifacts = z.union([z.literal(true), z.array(z.string())]);
export type NeededArtifacts = z.infer<typeof NeededArtifacts>;
