/** `forgeline mr`: merge requests of a repository. */
import { Command, Option } from "commander";
import { addExamples } from "../../output/examples.ts";
import { addConflictsCommand } from "../conflicts/list.ts";
import { addApplySuggestionsCommand } from "../suggestions/apply.ts";
import { addQueueCommands } from "../merge-queue/queue.ts";
import { addChangeCommands } from "./change.ts";
import { checkout } from "./checkout.ts";
import { addCreateCommand } from "./create.ts";
import { diff } from "./diff.ts";
import { addListCommand } from "./list.ts";
import { addBranchCommands } from "./merge-request-branches.ts";
import { addMergeCommand } from "./merge.ts";
import { addItemSubscriptionCommands } from "../notifications/subscriptions.ts";
import { addReactCommand } from "../reactions/react.ts";
import { parseNumber } from "./show.ts";
import { addRequirementCommands } from "./requirements.ts";
import { addReviewersCommand } from "./reviewers.ts";
import { listTemplates } from "./text-templates.ts";
import { view } from "./view.ts";

export function mrCommand(): Command {
  const mr = new Command("mr").description("Merge requests: proposed changes, from a branch into another");
  addListCommand(mr);
  mr.command("view <number>")
    .description("Show a merge request: its branches, whether it can be merged, and its description")
    .addOption(new Option("-c, --comments", "also the comments, oldest first"))
    .action(view);
  addCreateCommand(mr);
  addChangeCommands(mr);
  addMergeCommand(mr);
  addBranchCommands(mr);
  addQueueCommands(mr);
  const address = "/repos/{owner}/{repo}/merge-requests/{number}";
  addItemSubscriptionCommands(mr, { mark: "!", address, parseNumber });
  addReactCommand(mr, { mark: "!", address, parseNumber });
  addApplySuggestionsCommand(mr);
  addReviewersCommand(mr);
  mr.command("diff <number>")
    .description("Show what a merge request changes; a patch that is too large is left out")
    .option("--name-only", "only the paths of the files")
    .addOption(
      new Option("--since-review", "only what has changed since your last review").conflicts("since"),
    )
    .option("--since <commit>", "only what has changed since this commit of it")
    .action(diff);
  addRequirementCommands(mr);
  addConflictsCommand(mr);
  mr.command("templates").description("List templates for new merge requests").action(listTemplates);
  mr.command("checkout <number>")
    .description("Fetch the head of a merge request, and switch to its branch in this checkout")
    .action(checkout);
  addExamples(mr, [
    "forgeline mr create --fill",
    "forgeline mr list --author mary",
    "forgeline mr checkout 12",
    "forgeline mr merge 12 --strategy squash --delete-branch",
  ]);
  return mr;
}
