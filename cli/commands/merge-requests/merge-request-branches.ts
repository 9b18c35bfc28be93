/** `forgeline mr update-branch|rebase|restore-branch|revert|cherry-pick`: what becomes of branches of a merge request. */
import { Option, type Command } from "commander";
import { updateMethods } from "@forgeline/client/generated/choices.ts";
import { valueOf } from "../../connection/api.ts";
import { contextOf } from "../../context.ts";
import { omitUndefined } from "../../options/omit-undefined.ts";
import { terminalSafe } from "../../output/terminal-safe.ts";
import { parseNumber } from "./show.ts";

const address = "/repos/{owner}/{repo}/merge-requests/{number}";

interface UpdateOptions {
  method: (typeof updateMethods)[number];
  sha?: string;
}

interface NewBranchOptions {
  branch?: string;
  mergeRequest: boolean;
}

export function addBranchCommands(mr: Command): void {
  mr.command("update-branch <number>")
    .description("Bring the target branch into the source branch, and push it")
    .addOption(new Option("--method <method>", "how").choices(updateMethods).default("merge"))
    .option("--sha <commit>", "only if the source branch is still at this commit")
    .action(update);
  mr.command("rebase <number>")
    .description("Rebase the source branch on the target branch, and push it")
    .option("--sha <commit>", "only if the source branch is still at this commit")
    .action((text: string, { sha }: { sha?: string }, command: Command) =>
      update(text, { method: "rebase", ...omitUndefined({ sha }) }, command),
    );
  mr.command("restore-branch <number>")
    .description("Bring back the deleted source branch of a merge request that is merged or closed")
    .action(restore);
  addNewBranch(mr, "revert <number>", "Open a merge request that undoes what this one has merged").action(
    revert,
  );
  addNewBranch(mr, "cherry-pick <number>", "Open a merge request that brings the changes to another branch")
    .requiredOption("--target <branch>", "branch that shall get the changes too")
    .action(cherryPick);
}

function addNewBranch(mr: Command, name: string, description: string): Command {
  return mr
    .command(name)
    .description(description)
    .option("--branch <name>", "name of the new branch (default: one that tells what it is for)")
    .option("--no-merge-request", "only make the branch");
}

async function update(text: string, { method, sha }: UpdateOptions, command: Command): Promise<void> {
  const { api, print, repository } = await contextOf(command);
  const params = { path: { ...(await repository()), number: parseNumber(text) } };
  const body = { method, ...omitUndefined({ sha }) };
  const done = await valueOf(api.POST(`${address}/update-branch`, { params, body }));
  print(done, () => {
    const { source_branch: source, target_branch: target } = done.merge_request;
    const names = { source: terminalSafe(source), target: terminalSafe(target) };
    if (!done.changed) return `${names.source} has all of ${names.target} already`;
    return `${names.source} is at ${done.sha.slice(0, 12)}`;
  });
}

async function restore(text: string, _options: object, command: Command): Promise<void> {
  const { api, print, repository } = await contextOf(command);
  const params = { path: { ...(await repository()), number: parseNumber(text) } };
  const done = await valueOf(api.POST(`${address}/restore-branch`, { params }));
  const name = terminalSafe(done.merge_request.source_branch);
  print(done, () => `${name} is ${done.changed ? "back" : "there already"} at ${done.sha.slice(0, 12)}`);
}

async function revert(text: string, options: NewBranchOptions, command: Command): Promise<void> {
  const { api, print, repository } = await contextOf(command);
  const params = { path: { ...(await repository()), number: parseNumber(text) } };
  const made = await valueOf(api.POST(`${address}/revert`, { params, body: bodyOf(options) }));
  print(made, () => said(made));
}

async function cherryPick(
  text: string,
  { target, ...options }: NewBranchOptions & { target: string },
  command: Command,
): Promise<void> {
  const { api, print, repository } = await contextOf(command);
  const params = { path: { ...(await repository()), number: parseNumber(text) } };
  const body = { target, ...bodyOf(options) };
  const made = await valueOf(api.POST(`${address}/cherry-pick`, { params, body }));
  print(made, () => said(made));
}

function bodyOf({ branch, mergeRequest }: NewBranchOptions) {
  return { create_merge_request: mergeRequest, ...omitUndefined({ branch }) };
}

interface Made {
  branch: string;
  sha: string;
  merge_request: { number: number; web_url: string } | null;
}

function said({ branch, sha, merge_request: opened }: Made): string {
  const place = `${terminalSafe(branch)} at ${sha.slice(0, 12)}`;
  return opened ? `pushed ${place}\nopened !${opened.number}: ${opened.web_url}` : `pushed ${place}`;
}
