/** `forgeline team discussion`: the board of a team. A team is `ORG/TEAM`, a nested one `ORG/PARENT/CHILD`. */
import type { Command } from "commander";
import { parseCount } from "../../options/count.ts";
import { addExamples } from "../../output/examples.ts";
import { addTextOptions } from "../issues/fields.ts";
import { create, edit, reply } from "./write.ts";
import { addDiscussionIssueCommand } from "./issue.ts";
import { addDiscussionMarks } from "./marks.ts";
import { list, view } from "./read.ts";

export function addDiscussionCommands(team: Command): void {
  const discussion = team.command("discussion").description("Discussions on the board of a team");
  discussion
    .command("list <team>")
    .description("List discussions: pinned ones, then the newest first")
    .option("-n, --limit <n>", "how many, at most 100", parseCount, 30)
    .action(list);
  discussion
    .command("view <team> <number>")
    .description("Show a discussion")
    .option("--replies", "with its replies")
    .action(view);
  addTextOptions(discussion.command("create <team>"))
    .description("Start a discussion")
    .option("--private", "only the team and the owners of its organization see it")
    .action(create);
  addTextOptions(discussion.command("edit <team> <number>"))
    .description("Change title and text of your discussion")
    .action(edit);
  discussion
    .command("reply <team> <number>")
    .description("Reply to a discussion, or to one of its replies")
    .option("-b, --body <text>", "the reply, as Markdown")
    .option("-F, --body-file <file>", "file with the reply")
    .option("--to <id>", "id of the reply to answer")
    .action(reply);
  addDiscussionIssueCommand(discussion);
  addDiscussionMarks(discussion);
  addExamples(discussion, [
    'forgeline team discussion create acme/backend --title "Who is on call in March?"',
    'forgeline team discussion reply acme/backend 4 --body "I take the first week."',
    "forgeline team discussion view acme/backend 4 --replies",
    "forgeline team discussion pin acme/backend 4",
  ]);
}
