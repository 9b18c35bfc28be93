/** Issues of a repository. */
import { z } from "zod";
import { idOf } from "../core/ids.ts";
import { givenDate, timestamp } from "../core/time.ts";
import { Reactions } from "../reactions/resource.ts";
import { Person } from "../users/person.ts";
import {
  ImportedAuthor,
  DuplicateOf,
  ItemLabel,
  ItemMilestone,
  ItemTitle,
  LabelNames,
  MarkdownBody,
  NamedItem,
  PreviousText,
  Usernames,
  ViewerMay,
} from "../work-items/resource.ts";

export const IssueState = z.enum(["open", "closed"]);
export const CloseReason = z.enum(["completed", "not_planned", "duplicate"]);
export type CloseReason = z.infer<typeof CloseReason>;

export const Issue = z
  .object({
    id: idOf("iss"),
    number: z.number().int(),
    title: z.string(),
    body: z.string().describe("Markdown."),
    state: IssueState,
    state_reason: CloseReason.nullable().describe("Why it was closed; null while it is open."),
    duplicate_of: DuplicateOf.nullable().describe(
      "Of one that is closed as a duplicate: the issue that says the same. Null where the caller does not see that one.",
    ),
    author: Person.nullable().describe("Null: the account was deleted, or it was imported."),
    imported_author: ImportedAuthor,
    labels: z.array(ItemLabel),
    assignees: z.array(Person),
    milestone: ItemMilestone.nullable(),
    due_on: z.iso
      .date()
      .meta({ examples: ["2027-03-31"] })
      .nullable(),
    locked: z.boolean().describe("Only those with Triage may comment."),
    pinned: z.boolean().describe("Shown above the list."),
    comments_count: z.number().int(),
    closed_at: timestamp.nullable(),
    closed_by: Person.nullable(),
    edited_at: timestamp.nullable().describe("When the title or the text was last changed."),
    closing_merge_requests: z
      .array(NamedItem)
      .describe(
        "Open merge requests that close it when they are merged, as far as the caller sees them; at most 50. Empty in lists.",
      ),
    reactions: Reactions,
    viewer_may: ViewerMay,
    url: z.string(),
    web_url: z.string(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: "Issue" });
export type Issue = z.infer<typeof Issue>;

const milestone = idOf("mst").nullable().describe("Id of a milestone of the repository.");
const triaged = {
  labels: LabelNames.optional(),
  assignees: Usernames.optional(),
  milestone: milestone.optional(),
  due_on: givenDate.nullable().optional(),
};

export const IssueCreate = z
  .strictObject({
    title: ItemTitle,
    body: MarkdownBody.optional(),
    template: z
      .string()
      .max(4096)
      .optional()
      .describe(
        "Path of the template (`listIssueTemplates`) that it follows: its labels are set, as far as they exist.",
      ),
    ...triaged,
  })
  .meta({
    id: "IssueCreate",
    examples: [{ title: "Cancelling a run leaves its container", body: "Seen with two services." }],
  });
export type IssueCreate = z.infer<typeof IssueCreate>;

/** In the same repository, or in another one. */
const duplicateOf = z
  .union([
    z.int().min(1).max(2_147_483_647),
    z
      .string()
      .max(220)
      .regex(/^[^\s/#]+\/[^\s/#]+#[1-9]\d{0,9}$/, "Give a number, or `OWNER/NAME#NUMBER`."),
  ])
  .describe(
    "With the state `closed`: the issue that says the same, by its number or as `OWNER/NAME#NUMBER`. The reason is `duplicate` then. It takes Triage. Reopening takes it away.",
  )
  .meta({ examples: [12] });

export const IssueTransfer = z
  .strictObject({
    repository: z
      .string()
      .max(201)
      .regex(/^[^\s/]+\/[^\s/]+$/, "Give `OWNER/NAME`.")
      .describe("`OWNER/NAME`, where the caller has Write."),
  })
  .meta({ id: "IssueTransfer", examples: [{ repository: "analytical/engine" }] });

export const IssueUpdate = z
  .strictObject({
    title: ItemTitle.optional(),
    body: MarkdownBody.optional(),
    previous_body: PreviousText,
    state: IssueState.optional(),
    state_reason: CloseReason.optional().describe("With the state `closed`; default: `completed`."),
    duplicate_of: duplicateOf.optional(),
    ...triaged,
  })
  .meta({ id: "IssueUpdate", examples: [{ state: "closed", state_reason: "not_planned" }] });
export type IssueUpdate = z.infer<typeof IssueUpdate>;

export const maxBulkIssues = 100;
const bulkChanges = {
  add_labels: LabelNames.optional(),
  remove_labels: LabelNames.optional(),
  add_assignees: Usernames.optional(),
  remove_assignees: Usernames.optional(),
  milestone: milestone.optional(),
  due_on: givenDate.nullable().optional(),
  state: IssueState.optional(),
  state_reason: CloseReason.optional().describe("With the state `closed`; default: `completed`."),
  locked: z.boolean().optional().describe("Only those with Triage may comment."),
};

export const IssueBulkUpdate = z
  .strictObject({
    numbers: z
      .array(z.int().min(1).max(2_147_483_647))
      .min(1)
      .max(maxBulkIssues)
      .describe("Of issues of the repository; one that is named twice counts once."),
    ...bulkChanges,
  })
  // The reason alone changes nothing.
  .refine((wanted) => Object.keys(wanted).some((name) => name !== "numbers" && name !== "state_reason"), {
    message: "Say what is to be changed: labels, assignees, milestone, due date, state or lock.",
  })
  .meta({ id: "IssueBulkUpdate", examples: [{ numbers: [12, 15], add_labels: ["bug"], state: "closed" }] });
export type IssueBulkUpdate = z.infer<typeof IssueBulkUpdate>;

export const IssueBulkResult = z
  .object({
    number: z.number().int(),
    result: z
      .enum(["ok", "not_found", "forbidden", "refused"])
      .describe(
        "`ok`: it is as wanted now. `forbidden`: the caller may not change it so. `refused`: what is wanted does not fit it, as a label that is not there. One that is not `ok` stays as it was.",
      ),
    message: z.string().nullable().describe("Why it is not `ok`."),
  })
  .meta({ id: "IssueBulkResult" });
export type IssueBulkResult = z.infer<typeof IssueBulkResult>;

export const IssueBulkResults = z
  .object({ results: z.array(IssueBulkResult).describe("In the order of the numbers.") })
  .meta({ id: "IssueBulkResults" });
export type IssueBulkResults = z.infer<typeof IssueBulkResults>;
