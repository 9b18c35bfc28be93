/** Caches in a plan, with every default filled in. */
import { z } from "zod";

export const PlanCache = z.object({
  /** May hold `${{ }}`: only the runner can evaluate it, since it reads files of the checkout. */
  key: z.string(),
  /** As `key`; in the order in which they are tried. */
  restore: z.array(z.string()),
  /** Globs, `!` excludes: relative to the workspace, below `~/`, or absolute. */
  paths: z.array(z.string()),
  policy: z.enum(["pull", "push", "pull-push"]),
  scope: z.enum(["branch", "repo"]),
});
export type PlanCache = z.infer<typeof PlanCache>;
