/** Repositories as the REST interface shows and takes them (`spec.md` 2.1, `decisions.md` "Records"). */
import { z } from "zod";
import { jobPermissionLevels } from "../pipeline-file/file-permissions.ts";
import { RepositoryLevel } from "../core/repository-levels.ts";
import { idOf, ownerName, repositoryName } from "../core/ids.ts";
import { timestamp } from "../core/time.ts";

export const Visibility = z.enum(["private", "internal", "public"]).meta({ id: "Visibility" });
export type Visibility = z.infer<typeof Visibility>;

export const mergeRequestPipelineKinds = ["head", "merged_result"] as const;

export const RepositoryOwner = z
  .object({
    id: z.string(),
    name: z.string().describe("The name in addresses."),
    type: z.enum(["user", "org"]),
    url: z.string(),
    web_url: z.string(),
  })
  .meta({ id: "RepositoryOwner" });
export type RepositoryOwner = z.infer<typeof RepositoryOwner>;

export const Repository = z
  .object({
    id: idOf("repo"),
    name: z.string(),
    full_name: z.string().describe("`<owner>/<name>`."),
    owner: RepositoryOwner,
    description: z.string(),
    private: z.boolean().describe("True exactly when the visibility is not `public`."),
    visibility: Visibility,
    default_branch: z.string(),
    archived: z.boolean(),
    fork: z.boolean(),
    upstream: z
      .object({ full_name: z.string(), url: z.string() })
      .nullable()
      .describe("What a fork was copied from; null also where it is gone, or the caller does not see it."),
    mirror: z.boolean().describe("It follows an external repository, and is read-only."),
    importing: z.boolean().describe("It is being imported, and is read-only until that has ended."),
    size_kb: z.number().int().describe("Git objects on disk, as measured some seconds after the last push."),
    primary_language: z
      .string()
      .nullable()
      .describe("The one with most bytes in the default branch, some seconds after the last push."),
    topics: z.array(z.string()),
    public_pipelines: z
      .boolean()
      .describe("Whether everyone sees the runs and logs, where the repository is public."),
    mirror_sync_pipelines: z
      .boolean()
      .describe("Whether syncs of the mirror start pipelines that list `mirror_sync` under `on`."),
    fork_sync_pipelines: z
      .boolean()
      .describe("Whether syncs with the upstream start pipelines that list `fork_sync` under `on`."),
    merge_request_pipelines: z
      .enum(mergeRequestPipelineKinds)
      .describe(
        "What runs of merge requests check out: `head`, their newest commit; or `merged_result`, what merges it into the target branch.",
      ),
    job_permissions_max: z
      .enum(jobPermissionLevels)
      .describe(
        "What the tokens of its jobs may do at most: `read` refuses files whose `permissions` write; `write`: what the file says.",
      ),
    clone_urls: z.object({
      https: z.string(),
      ssh: z.string().nullable().describe("null where this instance does not serve SSH."),
    }),
    permissions: RepositoryLevel.describe("The caller's permission."),
    url: z.string().describe("Address of this record in the API."),
    web_url: z.string(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: "Repository" });
export type Repository = z.infer<typeof Repository>;

const contradiction = {
  path: ["private"],
  error: "This contradicts `visibility`.",
  params: { code: "contradiction" },
};

/** Either may be absent. */
function agree(given: { private?: boolean | undefined; visibility?: Visibility | undefined }): boolean {
  const { private: isPrivate, visibility } = given;
  return isPrivate === undefined || visibility === undefined || isPrivate === (visibility !== "public");
}

export const RepositoryCreate = z
  .strictObject({
    name: repositoryName,
    owner: ownerName.optional().describe("An organization; default: the caller."),
    description: z.string().max(1000).default(""),
    private: z.boolean().optional().describe("Must agree with `visibility` where both are given."),
    visibility: Visibility.optional().describe("Default `private`; `internal` needs an organization."),
    default_branch: z.string().min(1).max(200).default("main"),
    auto_init: z
      .boolean()
      .default(false)
      .describe(
        "Start with a commit that contains a README; `license` and `gitignore` add their files in the same way.",
      ),
    readme: z.boolean().default(false).describe("As `auto_init`."),
    license: z
      .string()
      .max(100)
      .optional()
      .describe("SPDX identifier, case-insensitive; see `GET /licenses`. Puts the text into `LICENSE`."),
    gitignore: z
      .string()
      .max(100)
      .optional()
      .describe("Template name, case-insensitive; see `GET /gitignore-templates`."),
  })
  .refine(agree, contradiction)
  .meta({
    id: "RepositoryCreate",
    examples: [{ name: "tables", description: "Tables", private: true, license: "MIT" }],
  });
export type RepositoryCreate = z.infer<typeof RepositoryCreate>;

export const RepositoryFork = z
  .strictObject({
    owner: ownerName.optional().describe("An organization; default: the caller."),
    name: repositoryName.optional().describe("Default: the upstream's."),
  })
  .meta({ id: "RepositoryFork", examples: [{ name: "my-tables" }] });
export type RepositoryFork = z.infer<typeof RepositoryFork>;

export const RepositoryUpdate = z
  .strictObject({
    name: repositoryName.optional().describe("The old name redirects here until another repository uses it."),
    description: z.string().max(1000).optional(),
    default_branch: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe("A branch of the repository; any name while it is empty."),
    private: z.boolean().optional().describe("Must agree with `visibility` where both are given."),
    visibility: Visibility.optional().describe("`internal` requires an organization as the owner."),
    public_pipelines: z.boolean().optional(),
    mirror_sync_pipelines: z.boolean().optional(),
    fork_sync_pipelines: z.boolean().optional(),
    merge_request_pipelines: z.enum(mergeRequestPipelineKinds).optional(),
    job_permissions_max: z.enum(jobPermissionLevels).optional(),
  })
  .refine(agree, contradiction)
  .meta({ id: "RepositoryUpdate", examples: [{ description: "Computes tables" }] });
export type RepositoryUpdate = z.infer<typeof RepositoryUpdate>;

export const RepositoryTopics = z
  .strictObject({
    topics: z
      .array(z.string().regex(/^[a-z0-9][a-z0-9-]{0,49}$/, "Lower-case letters, digits and hyphens."))
      .max(20),
  })
  .meta({ id: "RepositoryTopics", examples: [{ topics: ["mathematics", "tables"] }] });
export type RepositoryTopics = z.infer<typeof RepositoryTopics>;
