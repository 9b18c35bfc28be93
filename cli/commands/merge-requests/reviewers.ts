/** `forgeline mr reviewers`. */
import { Option, type Command } from "commander";
import { valueOf } from "../../connection/api.ts";
import { everyPage } from "../../connection/pages.ts";
import { contextOf } from "../../context.ts";
import { omitUndefined } from "../../options/omit-undefined.ts";
import { renderList } from "../../output/table.ts";
import { parseNumber } from "./show.ts";

interface ReviewersOptions {
  reviewers?: string[];
  teams?: string[];
  again?: string[];
  teamsAgain?: string[];
  none?: true;
}

export function addReviewersCommand(mr: Command): void {
  mr.command("reviewers <number>")
    .description("Show who is to review a merge request and what they say; with options, ask for reviews")
    .option("-r, --reviewers <user...>", "ask these users, instead of those who were asked")
    .option("--teams <org/team...>", "ask these teams, instead of those that were asked")
    .option("--again <user...>", "ask these users once more, such as after their review")
    .option("--teams-again <org/team...>", "ask these teams once more")
    .addOption(new Option("--none", "ask nobody any more").conflicts(["reviewers", "teams"]))
    .action(reviewers);
}

async function reviewers(text: string, options: ReviewersOptions, command: Command): Promise<void> {
  const { api, print, repository } = await contextOf(command);
  const path = { ...(await repository()), number: parseNumber(text) };
  const wanted = options.none ? { reviewers: [], teams: [] } : options;
  const body = omitUndefined({
    reviewers: wanted.reviewers,
    teams: wanted.teams,
    again: options.again,
    teams_again: options.teamsAgain,
  });
  if (Object.keys(body).length > 0)
    await valueOf(
      api.PUT("/repos/{owner}/{repo}/merge-requests/{number}/reviewers", { params: { path }, body }),
    );
  const found = await everyPage((query) =>
    api.GET("/repos/{owner}/{repo}/merge-requests/{number}/reviewers", { params: { path, query } }),
  );
  const rows = found.map((each) => [
    each.user?.username ?? each.team ?? "",
    each.state.replace("_", " "),
    each.reason === "code_owner" ? `owns ${each.pattern ?? ""}` : (each.reason ?? ""),
  ]);
  print(found, () => renderList("reviewers", ["WHO", "SAYS", "WHY"], rows));
}
