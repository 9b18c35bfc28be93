/** What started a run. */
import { z } from "zod";

export const RunSource = z.enum(["push", "tag", "merge_request", "api", "schedule", "manual"]);
export type RunSource = z.infer<typeof RunSource>;
