/** `forgeline mr merge`. */
import { Option, type Command } from "commander";
import { mergeStrategies } from "@forgeline/client/generated/choices.ts";
import { valueOf } from "../../connection/api.ts";
import { contextOf } from "../../context.ts";
import { omitUndefined } from "../../options/omit-undefined.ts";
import { parseNumber } from "./show.ts";

interface MergeOptions {
  strategy: (typeof mergeStrategies)[number];
  commitMessage?: string;
  sha?: string;
  deleteBranch?: true;
  bypass?: string;
}

export function addMergeCommand(mr: Command): void {
  mr.command("merge <number>")
    .description("Merge a merge request")
    .addOption(new Option("-s, --strategy <strategy>", "how").choices(mergeStrategies).default("merge"))
    .option(
      "-m, --commit-message <text>",
      "message of the commit that it makes (default: title and branches)",
    )
    .option("--sha <commit>", "only if this is still the head")
    .option("--delete-branch", "also delete the source branch")
    .option("--bypass <reason>", "although approvals or checks are missing, if the rules let you; say why")
    .action(merge);
}

async function merge(text: string, options: MergeOptions, command: Command): Promise<void> {
  const { api, print, repository } = await contextOf(command);
  const params = { path: { ...(await repository()), number: parseNumber(text) } };
  const { strategy, commitMessage, sha, deleteBranch, bypass } = options;
  const body = omitUndefined({
    strategy,
    commit_message: commitMessage,
    sha,
    delete_source_branch: deleteBranch,
    ...(bypass === undefined ? {} : { bypass: true, bypass_reason: bypass }),
  });
  const merged = await valueOf(
    api.PUT("/repos/{owner}/{repo}/merge-requests/{number}/merge", { params, body }),
  );
  print(merged, () => `merged !${merged.number} as ${merged.merge_sha?.slice(0, 12) ?? ""}`);
}
