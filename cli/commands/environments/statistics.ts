/** `forgeline environment statistics`: how often something is deployed, how much of it fails, and how long both take. */
import { Command } from "commander";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { valueOf } from "../../connection/api.ts";
import { contextOf } from "../../context.ts";
import { renderTable } from "../../output/table.ts";
import { terminalSafe } from "../../output/terminal-safe.ts";
import { dayCount, percent, percentiles, shown } from "../pipelines/run-statistics.ts";

type Statistics = Schemas["DeploymentStatistics"];

export function statisticsCommand(): Command {
  return new Command("statistics")
    .argument("<name>")
    .description("Show how often deployments succeed, how many fail, and how long changes and recovery take")
    .option("--days <count>", "how many days, at most 90, today included", dayCount, 30)
    .action(async (name: string, query: { days: number }, command: Command) => {
      const { api, print, repository } = await contextOf(command);
      const path = { ...(await repository()), name };
      const found = await valueOf(
        api.GET("/repos/{owner}/{repo}/environments/{name}/statistics", { params: { path, query } }),
      );
      print(found, () => describe(found));
    });
}

function describe(found: Statistics): string {
  const { lead_time: lead, restore_time: restore } = found;
  const [half = "", most = ""] = percentiles(lead);
  return [
    `${found.deployments} ${found.deployments === 1 ? "deployment" : "deployments"} to ${terminalSafe(found.environment)} from ${found.since} to ${found.until}`,
    renderTable(
      ["SUCCEEDED", "FAILED", "CANCELLED", "ROLLED BACK"],
      [[found.succeeded, found.failed, found.cancelled, found.rolled_back].map(String)],
    ),
    "",
    renderTable(
      ["", ""],
      [
        ["deployed", `${found.per_day} a day, ${found.per_week} a week`],
        ["successful", percent(found.success_rate)],
        ["failed or rolled back", percent(found.failure_rate)],
        ["from commit to deployed", `half within ${half}, 90% within ${most}`],
        ["recovered from a failure", restore === null ? "-" : `half within ${shown(restore)}`],
      ],
    ),
    "",
    renderTable(
      ["DAY", "DEPLOYMENTS", "SUCCEEDED", "FAILED", "CANCELLED", "ROLLED BACK"],
      found.by_day
        .filter(({ deployments }) => deployments > 0)
        .map((day) => [
          day.day,
          ...[day.deployments, day.succeeded, day.failed, day.cancelled, day.rolled_back].map(String),
        ]),
    ),
  ].join("\n");
}
