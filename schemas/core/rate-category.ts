/** What is counted separately against rate limits (`spec.md` section 8); `X-RateLimit-Resource` names one of these. */
import { z } from "zod";

export const rateCategories = [
  "core",
  "auth",
  "search",
  "git",
  "graphql",
  "packages",
  "webhook",
  "web",
  "sockets",
  "public",
] as const;
export const RateCategory = z.enum(rateCategories).meta({ id: "RateCategory" });
export type RateCategory = z.infer<typeof RateCategory>;
