/** What an owner of repositories has a plan for: how much it may store and run. */
import { z } from "zod";

export const Plan = z.enum(["free", "pro", "organization", "enterprise"]);
export type Plan = z.infer<typeof Plan>;
