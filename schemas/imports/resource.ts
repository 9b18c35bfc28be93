/** Repositories that are brought over from other hosts, with issues and merge requests. */
import { z } from "zod";
import { displayText } from "../core/display-text.ts";
import { idOf, ownerName, repositoryName } from "../core/ids.ts";
import { timestamp } from "../core/time.ts";
import { Visibility } from "../repositories/resource.ts";
import { Username } from "../work-items/resource.ts";
import { archiveId } from "./archives.ts";

export const importSources = ["github", "gitlab"] as const;
export const ImportSource = z.enum(importSources);
export type ImportSource = z.infer<typeof ImportSource>;

export const importStates = ["queued", "running", "paused", "done", "failed", "cancelled"] as const;

export const importKinds = [
  "labels",
  "milestones",
  "issues",
  "merge_requests",
  "comments",
  "reviews",
] as const;
export const ImportKind = z.enum(importKinds);
export type ImportKind = z.infer<typeof ImportKind>;

/** Of one person, that have not ended. */
export const maxOpenImports = 3;
/** Issues, merge requests, comments and reviews of one import. */
export const maxImportedItems = 200_000;
/** What a report keeps; more is only counted. */
export const maxImportNotes = 10_000;
const maxUsers = 500;

const token = z
  .string()
  .min(1)
  .max(1_000)
  .regex(/^[\x21-\x7e]+$/, "A token has no spaces.")
  .describe("Reads the repository there. Never shown, kept encrypted, and deleted when the import ends.");

export const ImportCreate = z
  .strictObject({
    source: ImportSource,
    repository: z
      .string()
      .max(500)
      .regex(
        /^[A-Za-z0-9_][A-Za-z0-9._-]*(?:\/\.?[A-Za-z0-9_][A-Za-z0-9._-]*){1,20}$/,
        "A repository is named `OWNER/NAME`.",
      )
      .describe("`owner/name`; of GitLab the path of the project, `group/subgroup/project`."),
    api_url: z
      .url()
      .max(500)
      .optional()
      .describe(
        "Of the API. Default: `https://api.github.com` or `https://gitlab.com/api/v4`. Of an own server: `https://HOST/api/v3` or `https://HOST/api/v4`.",
      ),
    token: token.optional(),
    archive: archiveId
      .optional()
      .describe(
        "An export that was uploaded by `POST /imports/archives`, to be read instead of the other host, which is asked nothing then: no `token` with it. `repository` says which repository of the archive comes, and `api_url` only of which host it is.",
      ),
    name: repositoryName
      .optional()
      .describe(
        "Of the new repository; default: as there. Needed where none can be called so here, as `.github`.",
      ),
    owner: ownerName.optional().describe("An organization; default: the caller."),
    visibility: Visibility.default("private"),
    include: z
      .array(ImportKind)
      .max(importKinds.length)
      .default([...importKinds])
      .describe("What comes besides branches and tags; default: everything."),
    users: z
      .record(z.string().min(1).max(255), Username)
      .refine((given) => Object.keys(given).length <= maxUsers, {
        error: `At most ${maxUsers} people can be named.`,
      })
      .default({})
      .describe(
        'Who people there are here: `{"octocat": "ada"}`. You can name yourself and, as the owner of an organization, its members. Others stay names without an account.',
      ),
  })
  .meta({
    id: "ImportCreate",
    examples: [{ source: "github", repository: "octocat/hello-world", users: { octocat: "ada" } }],
  });
export type ImportCreate = z.output<typeof ImportCreate>;

export const ImportRetry = z
  .strictObject({ token: token.optional() })
  .meta({ id: "ImportRetry", examples: [{ token: "ghp_example" }] });
export type ImportRetry = z.output<typeof ImportRetry>;

const count = z.number().int();
const progress = {
  labels: count,
  milestones: count,
  issues: count,
  merge_requests: count,
  comments: count,
  reviews: count,
} satisfies Record<ImportKind, z.ZodType>;

export const Import = z
  .object({
    id: idOf("imp"),
    source: ImportSource,
    api_url: z.string(),
    source_repository: z.string(),
    from_archive: z.boolean().describe("An uploaded export is read, and not the other host."),
    repository: z.string().describe("`owner/name` of the new repository when the import began."),
    state: z
      .enum(importStates)
      .describe("`paused`: the other host allows no more requests for now; it goes on at `resumes_at`."),
    step: z.string().describe("What is read now, or was last."),
    include: z.array(ImportKind),
    progress: z.object(progress).describe("How many of each kind have come."),
    left_out: z.number().int().describe("Entries of the report: what was left out or changed."),
    number_offset: z
      .number()
      .int()
      .describe(
        "What was added to the numbers of merge requests, which GitLab counts by themselves: its !1 is this number plus 1 here. 0 for GitHub.",
      ),
    resumes_at: timestamp.nullable(),
    error: z.string().nullable().describe("Why it failed, as a sentence."),
    requested_by: z.string().nullable().describe("Null if the user is gone."),
    finished_at: timestamp.nullable(),
    url: z.string(),
    web_url: z.string(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: "Import" });
export type Import = z.infer<typeof Import>;

export const ImportNote = z
  .object({
    kind: displayText(50),
    source: z.string().describe("Number or id at the other host."),
    reason: z.string(),
  })
  .meta({ id: "ImportNote" });
export type ImportNote = z.infer<typeof ImportNote>;
