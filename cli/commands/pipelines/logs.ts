/** `forgeline pipeline logs`: the log of a run, whole or a part, now or as it grows. */
import { Command } from "commander";
import { runNotFoundText } from "../../connection/repository.ts";
import { openStream } from "../../connection/stream.ts";
import { contextOf, type CliContext } from "../../context.ts";
import { parseCount } from "../../options/count.ts";
import { jobLabel } from "../../output/job-label.ts";
import { printLogLines } from "../../output/print-log-lines.ts";
import { printStream } from "../../output/print-stream.ts";
import { UsageError } from "../../connection/settings.ts";
import { omitUndefined } from "../../options/omit-undefined.ts";
import { jobsOfRun, requireJob } from "./find-job.ts";
import { showFirstError } from "./first-error.ts";
import { followJob } from "./follow-job.ts";
import { followText } from "./follow-text.ts";
import { newestRun } from "./newest-run.ts";
import { defaultMatches, searchRun } from "./search-logs.ts";

interface LogFlags {
  follow?: boolean;
  job?: string;
  step?: string;
  attempt?: number;
  tail?: number;
  search?: string;
  firstError?: boolean;
  limit?: number;
}

export function logsCommand(): Command {
  return new Command("logs")
    .description("Show the log of a run, stage by stage")
    .argument("[run]", "number or id (default: the newest)")
    .option("-f, --follow", "keep printing until the run ends; exit with its result")
    .option("--job <job>", "only this job: its key, id or name; a key is all combinations of a matrix")
    .option("--step <step>", "only this step: its name or its position from 0; setup; or a service")
    .option("--attempt <number>", "this attempt instead of the newest", parseCount)
    .option("--tail <lines>", "only the last lines", parseCount)
    .option("--search <words>", "only lines that hold these words; exit with 1 if there is none")
    .option("-n, --limit <count>", `with --search: number of lines (default: ${defaultMatches})`, parseCount)
    .option("--first-error", "only the line that tells why the run failed")
    .action(async (id: string | undefined, flags: LogFlags, command: Command) => {
      refuseContradictions(flags);
      const context = await contextOf(command);
      await show(context, id ?? (await newestRun(context)), flags);
    });
}

async function show(context: CliContext, id: string, flags: LogFlags): Promise<void> {
  const { job, step, attempt, search: words, limit = defaultMatches } = flags;
  // The server shows what there is of it so far, which is nothing for a name that is mistyped.
  if (job !== undefined && !flags.follow)
    requireJob(await jobsOfRun(context, { ...(await context.repository()), id }), job);
  if (flags.firstError) return showFirstError(context, id, job);
  if (words !== undefined) return searchRun(context, id, { words, limit, job, step, attempt });
  if (!flags.follow) return download(context, id, flags);
  const filter = omitUndefined({ step, attempt });
  process.exitCode = await (job === undefined
    ? followText(context, id, filter)
    : followJob(context, id, { ...filter, job }));
}

/** Throws `UsageError` for options that cannot be meant together. */
function refuseContradictions(flags: LogFlags): void {
  const ways = {
    "--follow": flags.follow,
    "--search": flags.search !== undefined,
    "--first-error": flags.firstError,
  };
  const given = Object.entries(ways).flatMap(([name, isGiven]) => (isGiven ? [name] : []));
  if (given.length > 1) throw new UsageError(`give only one of ${given.join(" and ")}`);
  if (flags.limit !== undefined && flags.search === undefined) throw new UsageError("-n needs --search");
  const { step, attempt } = flags;
  if (flags.firstError && [step, attempt].some((one) => one !== undefined))
    throw new UsageError("--first-error finds the step by itself: leave --step and --attempt out");
  if (flags.tail !== undefined && given.length > 0 && !flags.follow)
    throw new UsageError(`--tail cannot be used with ${given[0]}`);
}

async function download(context: CliContext, id: string, flags: LogFlags): Promise<void> {
  const { owner, repo } = await context.repository();
  const given = (["job", "step", "attempt", "tail"] as const).flatMap((name) =>
    flags[name] === undefined ? [] : [[name, String(flags[name])]],
  );
  const isRead = process.stdout.isTTY && !context.flags.json;
  const labels = isRead ? await labelsOf(context, { owner, repo, id }) : new Map<string, string>();
  const request = {
    path: `/repos/${[owner, repo].map(encodeURIComponent).join("/")}/pipelines/${encodeURIComponent(id)}/logs`,
    query: Object.fromEntries(given) as Record<string, string>,
    accept: context.flags.json || isRead ? "application/x-ndjson" : "text/plain",
  };
  const stream = await openStream(context.connection, request, runNotFoundText({ owner, repo }, id));
  await (isRead ? printLogLines(stream, labels) : printStream(stream));
}

/** By id: a line of a log names the key, which combinations of a matrix share. */
async function labelsOf(context: CliContext, path: { owner: string; repo: string; id: string }) {
  const jobs = await jobsOfRun(context, path);
  return new Map(jobs.map((job) => [job.id, jobLabel(job)]));
}
