/** `forgeline pipeline statistics`: how the runs of a repository, an organization or the instance go, and what they cost. */
import { Command, InvalidArgumentError } from "commander";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { valueOf } from "../../connection/api.ts";
import { contextOf, type CliContext } from "../../context.ts";
import { formatDuration } from "../../output/style.ts";
import { renderTable } from "../../output/table.ts";
import { terminalSafe } from "../../output/terminal-safe.ts";

interface Flags {
  days: number;
  pipeline?: string;
  branch?: string;
  org?: string;
  instance?: boolean;
}

type Sums = Schemas["PipelineStatistics"];
type Cost = Schemas["RepositoryRuns"];
const shownRepositories = 30;

export function statisticsCommand(): Command {
  return new Command("statistics")
    .description("Show how often runs succeed, how long they take and wait, and what they cost")
    .option("--days <count>", "how many days, at most 90, today included", dayCount, 30)
    .option("--pipeline <file>", "only runs of this pipeline file")
    .option("--branch <name>", "only runs of this branch")
    .option("--org <name>", "all repositories of an organization, with the time on runners of each")
    .option("--instance", "all repositories of the instance, with the time on runners of each")
    .action(async (flags: Flags, command: Command) => {
      const context = await contextOf(command);
      if (flags.org !== undefined || flags.instance === true) await showMany(context, flags);
      else await showOne(context, flags);
    });
}

/** Of a period, as commander reads it. */
export function dayCount(text: string): number {
  if (!/^[1-9]\d?$/.test(text) || Number(text) > 90)
    throw new InvalidArgumentError("It must be a number from 1 to 90.");
  return Number(text);
}

async function showOne(context: CliContext, { days, pipeline, branch }: Flags): Promise<void> {
  const path = await context.repository();
  const query = { days, ...(pipeline ? { pipeline } : {}), ...(branch ? { branch } : {}) };
  const root = "/repos/{owner}/{repo}/pipelines/statistics" as const;
  const [statistics, slowest] = await Promise.all([
    valueOf(context.api.GET(root, { params: { path, query } })),
    valueOf(context.api.GET(`${root}/jobs`, { params: { path, query } })),
  ]);
  context.print({ statistics, slowest }, () => `${describe(statistics)}\n\n${describeSlowest(slowest)}`);
}

async function showMany(context: CliContext, flags: Flags): Promise<void> {
  if (flags.pipeline !== undefined || flags.branch !== undefined)
    throw new Error("--pipeline and --branch are for one repository");
  if (flags.org !== undefined && flags.instance === true) throw new Error("say either --org or --instance");
  const query = { days: flags.days };
  const page = { ...query, per_page: shownRepositories };
  const { org } = flags;
  const [statistics, repositories] = await Promise.all(
    org === undefined
      ? [
          valueOf(context.api.GET("/admin/pipelines/statistics", { params: { query } })),
          valueOf(context.api.GET("/admin/pipelines/statistics/repositories", { params: { query: page } })),
        ]
      : [
          valueOf(context.api.GET("/orgs/{org}/pipelines/statistics", { params: { path: { org }, query } })),
          valueOf(
            context.api.GET("/orgs/{org}/pipelines/statistics/repositories", {
              params: { path: { org }, query: page },
            }),
          ),
        ],
  );
  context.print(
    { statistics, repositories },
    () => `${describe(statistics)}\n\n${describeCosts(repositories)}`,
  );
}

/** `98.5%`; a dash where there is nothing to take a share of. */
export const percent = (share: number | null) => (share === null ? "-" : `${Math.round(share * 1000) / 10}%`);
const minutes = (value: number) => value.toFixed(1);

export function percentiles(found: { p50: number; p90: number } | null): string[] {
  return found === null ? ["-", "-"] : [shown(found.p50), shown(found.p90)];
}

/** Short ones to the tenth of a second. */
export function shown(seconds: number): string {
  return seconds < 60 ? `${seconds.toFixed(1)}s` : formatDuration(Math.round(seconds));
}

function describe(found: Sums): string {
  const [half, most] = percentiles(found.duration);
  const [queuedHalf, queuedMost] = percentiles(found.queue_time);
  const busy = found.by_day.filter(({ runs }) => runs > 0);
  return [
    `${found.runs} runs from ${found.since} to ${found.until}, ${percent(found.success_rate)} successful`,
    renderTable(
      ["SUCCEEDED", "FAILED", "ERRORS", "CANCELLED", "SKIPPED"],
      [[found.succeeded, found.failed, found.errors, found.cancelled, found.skipped].map(String)],
    ),
    "",
    renderTable(
      ["TIME", "HALF WITHIN", "90% WITHIN"],
      [
        ["run", half ?? "", most ?? ""],
        ["in the queue", queuedHalf ?? "", queuedMost ?? ""],
      ],
    ),
    "",
    `${minutes(found.runner_minutes)} minutes on runners, in ${found.attempts} attempts`,
    "",
    renderTable(
      ["DAY", "RUNS", "SUCCESSFUL", "HALF WITHIN", "90% WITHIN", "RUNNER MINUTES"],
      busy.map((day) => [
        day.day,
        String(day.runs),
        percent(day.success_rate),
        ...percentiles(day.duration),
        minutes(day.runner_minutes),
      ]),
    ),
  ].join("\n");
}

function describeSlowest({ sampled_runs: runs, jobs, steps }: Schemas["JobStatistics"]): string {
  const columns = ["TIMES", "FAILED", "HALF WITHIN", "90% WITHIN"];
  const rest = (each: (typeof jobs)[number] | (typeof steps)[number]) => [
    String(each.count),
    String(each.failed),
    ...percentiles(each.duration),
  ];
  return [
    `Slowest of the last ${runs} runs`,
    renderTable(
      ["JOB", ...columns],
      jobs.map((each) => [each.job, ...rest(each)]),
    ),
    "",
    renderTable(
      ["JOB", "STEP", ...columns],
      steps.map((each) => [each.job, terminalSafe(each.step), ...rest(each)]),
    ),
  ].join("\n");
}

function describeCosts(repositories: readonly Cost[]): string {
  return renderTable(
    ["REPOSITORY", "RUNS", "SUCCESSFUL", "RUNNER MINUTES"],
    repositories.map((each) => [
      each.full_name,
      String(each.runs),
      percent(each.success_rate),
      minutes(each.runner_minutes),
    ]),
  );
}
