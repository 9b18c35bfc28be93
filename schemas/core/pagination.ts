/** `page` and `per_page` of every list (`decisions.md`, "REST conventions"). */
import { z } from "zod";
import { wholeNumber } from "./whole-number.ts";

export const maxPerPage = 100;
export const defaultPerPage = 30;

export const PageQuery = z.strictObject({
  page: wholeNumber({ min: 1 }).prefault(1).describe("From 1."),
  per_page: wholeNumber({ min: 1 })
    .prefault(defaultPerPage)
    .describe(`Default ${defaultPerPage}, at most ${maxPerPage}; a larger value is clamped.`),
});
export type PageQuery = z.infer<typeof PageQuery>;
