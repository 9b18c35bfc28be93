/** What started a run. */
import { z } from "zod";

export const RunSource = z.enum([
  "push",
  "tag",
  "merge_request",
  "api",
  "schedule",
  "manual",
  "mirror_sync",
  "fork_sync",
  "pipeline",
]);
export type RunSource = z.infer<typeof RunSource>;
