/** How the commits of a merge request come into the target branch. */
import { z } from "zod";

export const mergeStrategies = ["merge", "squash", "rebase", "fast_forward"] as const;
export const MergeStrategy = z.enum(mergeStrategies).meta({ id: "MergeStrategy" });
export type MergeStrategy = z.infer<typeof MergeStrategy>;
