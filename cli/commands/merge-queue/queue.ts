/** `forgeline mr queue`: the merge queue of a branch. */
import { Option, type Command } from "commander";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { mergeStrategies } from "@forgeline/client/generated/choices.ts";
import { valueOf } from "../../connection/api.ts";
import { contextOf } from "../../context.ts";
import { omitUndefined } from "../../options/omit-undefined.ts";
import { renderList } from "../../output/table.ts";
import { terminalSafe } from "../../output/terminal-safe.ts";
import { parseNumber } from "../merge-requests/show.ts";

interface AddOptions {
  strategy: (typeof mergeStrategies)[number];
  commitMessage?: string;
  sha?: string;
  deleteBranch?: true;
}

const all = "/repos/{owner}/{repo}/merge-queue";
const one = `${all}/{number}` as const;

export function addQueueCommands(mr: Command): void {
  const queue = mr
    .command("queue")
    .description("Merge requests that are tested and land one after the other");
  const branch = new Option("-b, --branch <branch>", "target branch (default: the default branch)");
  queue.command("list").description("Show what waits, and what is tested").addOption(branch).action(list);
  queue
    .command("add <number>")
    .description("Add a merge request to the queue of its target branch")
    .addOption(new Option("-s, --strategy <strategy>", "how").choices(mergeStrategies).default("merge"))
    .option("-m, --commit-message <text>", "message of the commit that it makes")
    .option("--sha <commit>", "only if this is still the head")
    .option("--delete-branch", "also delete the source branch, once it has landed")
    .action(add);
  queue.command("remove <number>").description("Take a merge request out of its queue").action(remove);
  queue
    .command("first <number>")
    .description("Put a merge request before all others; it takes Maintain")
    .action(first);
  for (const paused of [true, false])
    queue
      .command(paused ? "pause" : "resume")
      .description(
        paused ? "Let nothing land until it goes on; it takes Maintain" : "Let a paused queue go on",
      )
      .addOption(branch)
      .action((options: { branch?: string }, command: Command) => pause(paused, options, command));
}

async function list({ branch }: { branch?: string }, command: Command): Promise<void> {
  const { api, print, repository } = await contextOf(command);
  const params = { path: await repository(), query: omitUndefined({ branch }) };
  const found = await valueOf(api.GET(all, { params }));
  print(found, () => renderQueue(found));
}

function renderQueue({
  branch,
  settings,
  paused_at: pausedAt,
  entries,
  batches,
}: Schemas["MergeQueue"]): string {
  const rows = entries.map((entry) => [
    String(entry.position),
    `!${entry.number}`,
    entry.title,
    entry.state,
    entry.queued_by?.username ?? "",
  ]);
  const runs = batches
    .map((batch) => batch.runs.map(({ number, status }) => `#${number} ${status}`).join(", "))
    .filter((text) => text !== "");
  const said = [
    ...(settings ? [] : [`${terminalSafe(branch)} has no merge queue`]),
    ...(pausedAt === null ? [] : ["paused: nothing lands"]),
    ...(runs.length > 0 ? [`runs: ${runs.join("; on top of it: ")}`] : []),
  ];
  return [renderList("merge requests", ["", "NUMBER", "TITLE", "STATE", "ADDED BY"], rows), ...said].join(
    "\n",
  );
}

async function add(text: string, options: AddOptions, command: Command): Promise<void> {
  const { api, print, repository } = await contextOf(command);
  const { strategy, commitMessage, sha, deleteBranch } = options;
  const how = { strategy, commit_message: commitMessage, sha, delete_source_branch: deleteBranch };
  const body = { number: parseNumber(text), ...omitUndefined(how) };
  const added = await valueOf(api.POST(all, { params: { path: await repository() }, body }));
  print(added, () => `added !${added.number}, at position ${added.position}`);
}

async function remove(text: string, _options: object, command: Command): Promise<void> {
  const { api, print, repository } = await contextOf(command);
  const number = parseNumber(text);
  const path = { ...(await repository()), number };
  await valueOf(api.DELETE(one, { params: { path } }));
  print({ number, removed: true }, () => `took !${number} out of the merge queue`);
}

async function first(text: string, _options: object, command: Command): Promise<void> {
  const { api, print, repository } = await contextOf(command);
  const path = { ...(await repository()), number: parseNumber(text) };
  const moved = await valueOf(api.PATCH(one, { params: { path }, body: { position: "first" } }));
  print(moved, () => `!${moved.number} is the next one`);
}

async function pause(paused: boolean, { branch }: { branch?: string }, command: Command): Promise<void> {
  const { api, print, repository } = await contextOf(command);
  const body = { paused, ...omitUndefined({ branch }) };
  const found = await valueOf(api.PATCH(all, { params: { path: await repository() }, body }));
  const said = `the merge queue of ${terminalSafe(found.branch)}`;
  print(found, () => (paused ? `paused ${said}` : `${said} goes on`));
}
