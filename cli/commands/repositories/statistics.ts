/** `forgeline repo stats`: what the default branch of a repository is made of, and by whom. */
import { Command, InvalidArgumentError } from "commander";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { valueOf } from "../../connection/api.ts";
import { contextOf } from "../../context.ts";
import { meant } from "./meant-repository.ts";
import { renderTable } from "../../output/table.ts";

const shownContributors = 20;
const defaultWeeks = 12;

export function statsCommand(): Command {
  return new Command("stats")
    .argument("[owner/name]")
    .description("Show commits by week, contributors and languages of the default branch")
    .option("--weeks <count>", "number of weeks, at most 520", weekCount, defaultWeeks)
    .action(async (name: string | undefined, { weeks }: { weeks: number }, command: Command) => {
      const context = await contextOf(command);
      const path = await meant(context, name);
      const root = "/repos/{owner}/{repo}/stats" as const;
      const query = { weeks };
      const [commits, contributors, languages] = await Promise.all([
        valueOf(context.api.GET(`${root}/commits`, { params: { path, query } })),
        valueOf(
          context.api.GET(`${root}/contributors`, {
            params: { path, query: { ...query, per_page: shownContributors } },
          }),
        ),
        valueOf(context.api.GET(`${root}/languages`, { params: { path } })),
      ]);
      const all = { commits, contributors, languages };
      context.print(all, () => describe(all));
    });
}

function weekCount(text: string): number {
  if (!/^[1-9]\d{0,2}$/.test(text) || Number(text) > 520)
    throw new InvalidArgumentError("It must be a number from 1 to 520.");
  return Number(text);
}

interface Shown {
  commits: Schemas["CommitStatistics"];
  contributors: Schemas["Contributor"][];
  languages: Schemas["LanguageStatistics"];
}

const states: Record<Schemas["CommitStatistics"]["state"], string> = {
  pending: "not computed yet; ask again in some seconds",
  updating: "newer commits are being looked at",
  ready: "up to date",
  failed: "the last try failed; it will be repeated",
};

function describe({ commits, contributors, languages }: Shown): string {
  const at = commits.commit === null ? "" : ` at ${commits.commit.slice(0, 8)}`;
  return [
    `${commits.total_commits} commits${at}: ${states[commits.state]}`,
    "",
    renderTable(
      ["LANGUAGE", "PERCENT", "BYTES"],
      languages.languages.map((each) => [each.language, String(each.percent), String(each.bytes)]),
    ),
    "",
    renderTable(
      ["CONTRIBUTOR", "COMMITS", "ADDED", "DELETED", "LAST WEEK"],
      contributors.map((each) => [
        each.username ?? `${each.name} <${each.email ?? ""}>`,
        String(each.commits),
        String(each.additions),
        String(each.deletions),
        each.last_week,
      ]),
    ),
    "",
    renderTable(
      ["WEEK", "COMMITS", "ADDED", "DELETED"],
      commits.weeks.map((each) => [
        each.week,
        String(each.commits),
        String(each.additions),
        String(each.deletions),
      ]),
    ),
  ].join("\n");
}
