/** `page` and `per_page` of every list (`decisions.md`, "REST conventions"). */
import { z } from "zod";

export const maxPerPage = 100;
export const defaultPerPage = 30;

export const PageQuery = z.strictObject({
  page: z.coerce.number().int().min(1).default(1).describe("From 1."),
  per_page: z.coerce
    .number()
    .int()
    .min(1)
    .default(defaultPerPage)
    .describe(`Default ${defaultPerPage}, at most ${maxPerPage}; a larger value is clamped.`),
});
export type PageQuery = z.infer<typeof PageQuery>;
