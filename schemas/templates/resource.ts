/** What a repository can begin with. */
import { z } from "zod";

export const License = z
  .object({
    id: z.string().describe("SPDX identifier; what `license` takes when a repository is created."),
    name: z.string(),
    osi_approved: z.boolean(),
    reference_url: z.string().nullable().describe("Where the text comes from."),
  })
  .meta({ id: "License" });

export const GitignoreTemplate = z
  .object({ name: z.string().describe("What `gitignore` takes when a repository is created.") })
  .meta({ id: "GitignoreTemplate" });
