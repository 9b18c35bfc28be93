/** What a search in all repositories finds (`decisions.md`, "Records (REST)"). */
import { z } from "zod";
import { displayText } from "../core/display-text.ts";
import { timestamp } from "../core/time.ts";
import { CloseReason } from "../issues/resource.ts";
import { Person } from "../users/person.ts";
import { ImportedAuthor, ItemLabel, ItemMilestone } from "../work-items/resource.ts";

export const maxQueryChars = 500;
/** How far a search can be paged through. */
export const maxReachable = 1_000;

export const searchText = displayText(maxQueryChars);

/** An issue or a merge request, as far as a list shows it. */
export const FoundItem = z
  .object({
    id: z.string(),
    type: z.enum(["issue", "merge_request"]),
    repository: z.object({ id: z.string(), full_name: z.string().describe("`OWNER/NAME`.") }),
    number: z.number().int(),
    title: z.string(),
    body: z.string().describe("Markdown."),
    state: z.enum(["open", "closed", "merged"]),
    state_reason: CloseReason.nullable(),
    draft: z.boolean().describe("False for issues."),
    author: Person.nullable().describe("Null: the account was deleted, or it was imported."),
    imported_author: ImportedAuthor,
    labels: z.array(ItemLabel),
    assignees: z.array(Person),
    milestone: ItemMilestone.nullable(),
    due_on: z.iso
      .date()
      .meta({ examples: ["2027-03-31"] })
      .nullable(),
    locked: z.boolean(),
    comments_count: z.number().int(),
    closed_at: timestamp.nullable(),
    url: z.string(),
    web_url: z.string(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: "FoundItem" });
export type FoundItem = z.infer<typeof FoundItem>;

export const FoundItems = z
  .object({
    total_count: z.number().int().describe("How many there are; the first 1,000 can be read."),
    items: z.array(FoundItem),
  })
  .meta({ id: "FoundItems" });
export type FoundItems = z.infer<typeof FoundItems>;
