/** `forgeline team discussion issue`. */
import type { Command } from "commander";
import { valueOf } from "../../connection/api.ts";
import { contextOf } from "../../context.ts";
import { collect } from "../../options/collect.ts";
import { terminalSafe } from "../../output/terminal-safe.ts";
import { one, pathOf } from "./show.ts";

export function addDiscussionIssueCommand(discussion: Command): void {
  discussion
    .command("issue <team> <number> <repository>")
    .description("Make an issue of a discussion, with its title, text and files")
    .option("-l, --label <names>", "labels of the issue", collect)
    .option("--lock", "also lock the discussion")
    .action(makeIssue);
}

async function makeIssue(
  team: string,
  number: string,
  ...[repository, { label, lock = false }, command]: [string, { label?: string[]; lock?: boolean }, Command]
): Promise<void> {
  const path = pathOf(team, number);
  const { api, print } = await contextOf(command);
  const body = { repository, lock, ...(label ? { labels: label } : {}) };
  const made = await valueOf(api.POST(`${one}/issue`, { params: { path }, body }));
  print(made, () => terminalSafe(`opened ${repository}#${made.number}: ${made.web_url}`));
}
