/** `forgeline repo view|edit`: of the repository that is named, or of this checkout's. */
import { Option, type Command } from "commander";
import { jobPermissionLevels, mergeRequestPipelineKinds } from "@forgeline/client/generated/choices.ts";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { valueOf } from "../../connection/api.ts";
import { contextOf } from "../../context.ts";
import { meant } from "./meant-repository.ts";
import { requireChanges } from "../../options/omit-undefined.ts";
import { renderFields } from "../../output/fields.ts";

interface EditOptions {
  name?: string;
  description?: string;
  defaultBranch?: string;
  visibility?: "private" | "internal" | "public";
  publicPipelines?: boolean;
  mirrorSyncPipelines?: boolean;
  forkSyncPipelines?: boolean;
  mergeRequestPipelines?: (typeof mergeRequestPipelineKinds)[number];
  jobPermissionsMax?: (typeof jobPermissionLevels)[number];
}

export function addSettingsCommands(repo: Command): void {
  repo.command("view [owner/name]").description("Show a repository").action(view);
  repo
    .command("edit [owner/name]")
    .description("Change the settings of a repository; a former name keeps redirecting to it")
    .option("--name <name>", "new name")
    .option("--description <text>", "description")
    .option("--default-branch <branch>", "branch used where none is given")
    .addOption(new Option("--visibility <who>", "who can see it").choices(["private", "internal", "public"]))
    .option("--public-pipelines", "let everyone see runs and logs if the repository is public")
    .option("--no-public-pipelines", "show runs and logs only to people with write access")
    .option("--mirror-sync-pipelines", "let syncs of the mirror start pipelines that want that")
    .option("--no-mirror-sync-pipelines", "start nothing after syncs of the mirror")
    .option("--fork-sync-pipelines", "let syncs with the upstream start pipelines that want that")
    .option("--no-fork-sync-pipelines", "start nothing after syncs with the upstream")
    .addOption(
      new Option(
        "--merge-request-pipelines <what>",
        "what runs of merge requests check out: their newest commit, or what merges it into the target branch",
      ).choices(mergeRequestPipelineKinds),
    )
    .addOption(
      new Option(
        "--job-permissions-max <level>",
        "what the tokens of jobs may do at most: only read, or what the pipeline file says",
      ).choices(jobPermissionLevels),
    )
    .action(edit);
}

async function view(name: string | undefined, _options: unknown, command: Command): Promise<void> {
  const context = await contextOf(command);
  const path = await meant(context, name);
  const repository = await valueOf(context.api.GET("/repos/{owner}/{repo}", { params: { path } }));
  context.print(repository, () => describe(repository));
}

function describe(repository: Schemas["Repository"]): string {
  const { ssh } = repository.clone_urls;
  return renderFields([
    ["name", repository.full_name],
    ["description", repository.description],
    ["visibility", repository.visibility],
    ["state", repository.archived ? "archived" : "active"],
    ["default branch", repository.default_branch],
    ["topics", repository.topics.join(",")],
    [
      "merge requests run",
      repository.merge_request_pipelines === "head" ? "their newest commit" : "the merged result",
    ],
    ["tokens of jobs", repository.job_permissions_max === "read" ? "only read" : "as the file says"],
    ["you may", repository.permissions],
    ["clone", repository.clone_urls.https],
    ...(ssh === null ? [] : [["clone over SSH", ssh] as const]),
  ]);
}

async function edit(name: string | undefined, options: EditOptions, command: Command): Promise<void> {
  const body = requireChanges(
    {
      name: options.name,
      description: options.description,
      default_branch: options.defaultBranch,
      visibility: options.visibility,
      public_pipelines: options.publicPipelines,
      mirror_sync_pipelines: options.mirrorSyncPipelines,
      fork_sync_pipelines: options.forkSyncPipelines,
      merge_request_pipelines: options.mergeRequestPipelines,
      job_permissions_max: options.jobPermissionsMax,
    },
    "--name, --description, --default-branch, --visibility, --public-pipelines, --mirror-sync-pipelines, --fork-sync-pipelines, --merge-request-pipelines or --job-permissions-max",
  );
  const context = await contextOf(command);
  const path = await meant(context, name);
  const changed = await valueOf(context.api.PATCH("/repos/{owner}/{repo}", { params: { path }, body }));
  context.print(changed, () => `changed ${changed.full_name}`);
}
