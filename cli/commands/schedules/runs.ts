/** `forgeline schedule run|history`. */
import type { Command } from "commander";
import { valueOf } from "../../connection/api.ts";
import { contextOf } from "../../context.ts";
import { parseCount } from "../../options/count.ts";
import { renderList } from "../../output/table.ts";
import { followRun } from "../pipelines/follow.ts";
import { resultOf } from "./configure.ts";

const perPage = 30;

export function addRunCommands(schedule: Command): void {
  schedule
    .command("run <id>")
    .description("Run one now, also while it is off")
    .option("-w, --watch", "follow the run; exit with its result")
    .action(run);
  schedule
    .command("history <id>")
    .description(`List what became of its times, newest first, ${perPage} on a page`)
    .option("--page <number>", "page", parseCount, 1)
    .action(history);
}

async function run(id: string, { watch }: { watch?: boolean }, command: Command): Promise<void> {
  const context = await contextOf(command);
  const path = { ...(await context.repository()), id };
  const started = await valueOf(
    context.api.POST("/repos/{owner}/{repo}/schedules/{id}/run", { params: { path } }),
  );
  context.print(started, () => `started #${started.number}  ${started.web_url}`);
  if (watch) process.exitCode = await followRun(context, { pipeline: started.id, logs: true });
}

async function history(id: string, { page }: { page: number }, command: Command): Promise<void> {
  const { api, print, repository } = await contextOf(command);
  const path = { ...(await repository()), id };
  const query = { page, per_page: perPage };
  const found = await valueOf(
    api.GET("/repos/{owner}/{repo}/schedules/{id}/runs", { params: { path, query } }),
  );
  print(found, () =>
    renderList(
      "runs",
      ["TIME", "CAUSE", "RESULT", "MISSED BEFORE", "BY"],
      found.map((each) => [
        each.due_at,
        each.cause,
        resultOf(each),
        String(each.missed),
        each.user ?? "schedule",
      ]),
    ),
  );
}
