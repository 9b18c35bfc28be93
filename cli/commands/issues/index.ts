/** `forgeline issue`: issues of a repository. */
import { Command } from "commander";
import { addExamples } from "../../output/examples.ts";
import { addChangeCommands } from "./change.ts";
import { addCreateCommand } from "./create.ts";
import { addEditCommand } from "./edit.ts";
import { addListCommand } from "./list.ts";
import { addItemSubscriptionCommands } from "../notifications/subscriptions.ts";
import { addReactCommand } from "../reactions/react.ts";
import { one, parseNumber } from "./show.ts";
import { addTransferCommand } from "./transfer.ts";
import { listTemplates } from "./text-templates.ts";
import { view } from "./view.ts";

export function issueCommand(): Command {
  const issue = new Command("issue").description("Issues: what is wrong, wanted or asked");
  addListCommand(issue);
  issue
    .command("view <number>")
    .description("Show an issue with its text")
    .option("-c, --comments", "also the comments, oldest first")
    .action(view);
  addCreateCommand(issue);
  issue.command("templates").description("List templates and forms for new issues").action(listTemplates);
  addEditCommand(issue);
  addChangeCommands(issue);
  addTransferCommand(issue);
  addItemSubscriptionCommands(issue, { mark: "#", address: one, parseNumber });
  addReactCommand(issue, { mark: "#", address: one, parseNumber });
  addExamples(issue, [
    "forgeline issue list --label bug --assignee none",
    "forgeline issue create --title 'Cancelling hangs' --body-file report.md",
    "forgeline issue edit 12 --add-label bug --milestone 2.0",
    "forgeline issue close 12 --reason not_planned --comment 'Works as documented.'",
  ]);
  return issue;
}
