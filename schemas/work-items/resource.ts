/** What issues and merge requests share (`decisions.md`, "Collaboration"). */
import { z } from "zod";
import { displayText } from "../core/display-text.ts";
import { idOf, ownerName } from "../core/ids.ts";
import { timestamp } from "../core/time.ts";
import { objectId } from "../commits/resource.ts";
import { Person } from "../users/person.ts";

export const maxTitleChars = 255;
export const maxBodyChars = 65_536;
export const maxItemLabels = 100;
export const maxAssignees = 20;

export const ItemTitle = displayText(maxTitleChars).pipe(z.string().min(1));

/** Markdown. The database keeps no NUL. */
export const MarkdownBody = z
  .string()
  .max(maxBodyChars)
  // oxlint-disable-next-line no-control-regex -- it is what is refused
  .regex(/^[^\u0000]*$/, "A text cannot contain the character NUL.")
  .meta({ examples: ["Steps to reproduce:\n\n1. Start a run.\n2. Cancel it."] });

/** Nobody replaces what they have not read: pages send it with every edit of a text. */
export const PreviousText = z
  .string()
  .max(maxBodyChars)
  .optional()
  .describe(
    "The text that the caller has read: 409, and nothing is changed, where somebody has changed it since. Default: replace whatever is there.",
  );

export const ItemLabel = z
  .object({
    id: idOf("lbl"),
    name: z.string(),
    color: z.string().describe("Six hexadecimal digits."),
    description: z.string(),
  })
  .meta({ id: "ItemLabel" });
export type ItemLabel = z.infer<typeof ItemLabel>;

/** An issue or merge request that another record names. */
export const NamedItem = z
  .object({
    repository: z.string().describe("Full name."),
    number: z.number().int(),
    title: z.string(),
    state: z.enum(["open", "closed"]),
    url: z.string(),
    web_url: z.string(),
  })
  .meta({ id: "NamedItem" });
export type NamedItem = z.infer<typeof NamedItem>;

export const ItemMilestone = z
  .object({
    id: idOf("mst"),
    title: z.string(),
    state: z.enum(["open", "closed"]),
    due_on: z.iso
      .date()
      .meta({ examples: ["2027-03-31"] })
      .nullable(),
  })
  .meta({ id: "ItemMilestone" });
export type ItemMilestone = z.infer<typeof ItemMilestone>;

/** Who wrote it elsewhere. The name is that host's: nobody here need have anything to do with it. */
export const ImportedAuthor = z
  .object({
    name: z.string().describe("The account at that host."),
    host: z.string(),
  })
  .nullable()
  .describe(
    "Of what was imported: who wrote it there. `author` is then the user that the import named for it, if any.",
  );
export type ImportedAuthor = z.infer<typeof ImportedAuthor>;

/** What the caller may do with it, so that pages offer nothing else. */
export const ViewerMay = z
  .object({
    comment: z.boolean(),
    edit: z.boolean().describe("Change title and text."),
    close: z.boolean().describe("Close and reopen."),
    triage: z.boolean().describe("Set labels, assignees, milestone and due date; lock."),
    pin: z.boolean(),
    delete: z.boolean(),
  })
  .meta({ id: "ViewerMay" });
export type ViewerMay = z.infer<typeof ViewerMay>;

/** Names of labels: which exist is the repository's matter. */
export const LabelNames = z
  .array(z.string().trim().min(1).max(100))
  .max(maxItemLabels)
  .meta({ examples: [["bug"]] });

export const Username = ownerName.or(z.string().regex(/^[A-Za-z0-9._-]{1,100}\/[A-Za-z0-9._-]{1,100}$/));

export const Usernames = z
  .array(Username)
  .max(maxAssignees)
  .describe("User names; a bot is `ORG/BOT`.")
  .meta({ examples: [["mary"]] });

export const timelineKinds = [
  "labeled",
  "unlabeled",
  "assigned",
  "unassigned",
  "milestoned",
  "demilestoned",
  "due",
  "renamed",
  "closed",
  "reopened",
  "locked",
  "unlocked",
  "pinned",
  "unpinned",
  "pushed",
  "retargeted",
  "drafted",
  "readied",
  "merged",
  "branch_deleted",
  "branch_restored",
  "referenced",
  "auto_merge_enabled",
  "auto_merge_disabled",
  "bypassed",
  "queued",
  "dequeued",
  "reviewed",
  "review_dismissed",
  "review_requested",
  "review_request_removed",
  "thread_resolved",
  "thread_reopened",
  "marked_duplicate",
  "unmarked_duplicate",
  "got_duplicate",
  "transferred",
] as const;
export const TimelineKind = z.enum(timelineKinds);
export type TimelineKind = z.infer<typeof TimelineKind>;

/** An issue that says the same. */
export const DuplicateOf = z
  .object({
    repository: z.string().describe("`OWNER/NAME`."),
    number: z.number().int(),
    title: z.string(),
    state: z.enum(["open", "closed"]),
    web_url: z.string(),
  })
  .meta({ id: "DuplicateOf" });
export type DuplicateOf = z.infer<typeof DuplicateOf>;

/** As it is now. */
export const TimelineSource = z
  .object({
    type: z.enum(["issue", "merge_request"]),
    repository: z.string().describe("`OWNER/NAME`."),
    number: z.number().int(),
    title: z.string(),
    state: z.enum(["open", "closed", "merged"]),
    web_url: z.string(),
  })
  .meta({ id: "TimelineSource" })
  .describe(
    "Of `referenced`: what names this one in its text or below it; of `closed`: the merge request that fixed it; of `marked_duplicate` and `unmarked_duplicate`: the issue that says the same; of `got_duplicate`: its duplicate. Only where the caller sees it.",
  );

/** One thing that happened; names are those of that moment. */
export const TimelineEvent = z
  .object({
    id: z.number().int(),
    kind: TimelineKind,
    actor: Person.nullable().describe("Null: the account was deleted."),
    label: z.object({ name: z.string(), color: z.string() }).exactOptional(),
    user: z
      .string()
      .exactOptional()
      .describe(
        "Name of who was assigned, or asked for a review; of `review_dismissed`, whose review it was. Left out where a team was asked.",
      ),
    review: z
      .object({ id: z.string(), state: z.string() })
      .exactOptional()
      .describe("`approved`, `changes_requested` or `commented`, as it was submitted."),
    thread_id: z.string().exactOptional(),
    milestone: z.string().exactOptional(),
    from: z
      .string()
      .nullable()
      .exactOptional()
      .describe(
        "What it was before: a title, a day, a target branch, or the head before a push; of `transferred`, `OWNER/NAME#NUMBER` where it was, for those who see that repository.",
      ),
    to: z.string().nullable().exactOptional().describe("What it is since; of `merged`, the commit."),
    reason: z
      .string()
      .exactOptional()
      .describe(
        "Why it was closed, or a review dismissed; of a closed merge request: one of its branches was deleted. Of `bypassed`: why it was merged although something was missing. Of `dequeued`: why it left the merge queue. Of `merged`: `auto_merge` where it was merged by itself. Of `auto_merge_disabled`: `cancelled`, `closed`, `target_changed`, `head_moved`, `foreign_push`, `conflict`, `access`, `scope`, `account` or `archived`.",
      ),
    source: TimelineSource.exactOptional(),
    commit: objectId.exactOptional().describe("The commit that fixed it (`Fixes #12`)."),
    commit_repository: z
      .string()
      .nullable()
      .exactOptional()
      .describe(
        "Where the commit is, if the issue has been moved since: `OWNER/NAME`; null for those who do not see that repository.",
      ),
    created_at: timestamp,
  })
  .meta({ id: "TimelineEvent" });
export type TimelineEvent = z.infer<typeof TimelineEvent>;
