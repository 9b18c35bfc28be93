/** What a repository can begin with. */
import { z } from "zod";

export const License = z
  .object({
    id: z.string().describe("SPDX identifier; value of `license` when creating a repository."),
    name: z.string(),
    osi_approved: z.boolean(),
    reference_url: z.string().nullable().describe("Where the text comes from."),
  })
  .meta({ id: "License" });
export type License = z.infer<typeof License>;

export const GitignoreTemplate = z
  .object({ name: z.string().describe("Value of `gitignore` when creating a repository.") })
  .meta({ id: "GitignoreTemplate" });
