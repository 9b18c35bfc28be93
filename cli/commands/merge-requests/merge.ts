/** `forgeline mr merge`. */
import { Option, type Command } from "commander";
import { mergeStrategies } from "@forgeline/client/generated/choices.ts";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { valueOf } from "../../connection/api.ts";
import { contextOf } from "../../context.ts";
import { omitUndefined } from "../../options/omit-undefined.ts";
import { whyKept } from "./kept-branch.ts";
import { parseNumber } from "./show.ts";

const address = "/repos/{owner}/{repo}/merge-requests/{number}";

interface MergeOptions {
  strategy: (typeof mergeStrategies)[number];
  commitMessage?: string;
  sha?: string;
  deleteBranch?: true;
  bypass?: string;
  auto?: true;
  disableAuto?: true;
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
    .addOption(
      new Option("--auto", "as soon as nothing stands in the way: approvals, checks, pipelines").conflicts([
        "bypass",
        "disableAuto",
      ]),
    )
    .addOption(
      new Option("--disable-auto", "do not merge it by itself any more").conflicts([
        "bypass",
        "commitMessage",
        "sha",
        "deleteBranch",
      ]),
    )
    .action(merge);
}

async function merge(text: string, options: MergeOptions, command: Command): Promise<void> {
  const { api, print, repository } = await contextOf(command);
  const params = { path: { ...(await repository()), number: parseNumber(text) } };
  const { strategy, commitMessage, sha, deleteBranch, bypass, auto, disableAuto } = options;
  if (disableAuto) {
    const kept = await valueOf(api.DELETE(`${address}/auto-merge`, { params }));
    print(kept, () => `!${kept.number} is not merged by itself any more`);
    return;
  }
  const how = { strategy, commit_message: commitMessage, sha, delete_source_branch: deleteBranch };
  const body = omitUndefined({
    ...how,
    ...(bypass === undefined ? {} : { bypass: true, bypass_reason: bypass }),
  });
  const merged = auto
    ? await valueOf(api.PUT(`${address}/auto-merge`, { params, body: omitUndefined(how) }))
    : await valueOf(api.PUT(`${address}/merge`, { params, body }));
  const kept = deleteBranch ? await whyKept(api, merged) : undefined;
  print(merged, () => [said(merged), ...(kept === undefined ? [] : [kept])].join("\n"));
}

function said({ number, state, merge_sha: sha }: Schemas["MergeRequest"]): string {
  if (state !== "merged") return `!${number} will be merged as soon as nothing stands in the way`;
  return `merged !${number} as ${sha?.slice(0, 12) ?? ""}`;
}
