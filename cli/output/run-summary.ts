/** The first lines of a watched run, and the last ones: how it ended, what failed and why, and what to do next. */
import { jobLabel } from "./job-label.ts";
import { attemptWarnings } from "./attempt-warnings.ts";
import { colors } from "./colors.ts";
import { failedStatuses } from "@forgeline/client/generated/statuses.ts";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { allowedText, formatSpan, jobMark, paintStatus, shortRef, statusMark } from "./style.ts";
import { inOneLine, terminalSafe } from "./terminal-safe.ts";

type Run = Schemas["Pipeline"];
type Job = Run["stages"][number]["jobs"][number];

export function renderRunHeading(repository: string, run: Run): string {
  const message = terminalSafe(run.commit.message.split("\n")[0] ?? "");
  return [
    `${colors.bold(`${repository} #${run.number}`)}  ${shortRef(run.ref)} ${colors.dim(run.sha.slice(0, 8))}  ${message}`,
    `${colors.dim(run.web_url)}\n`,
  ].join("\n");
}

export function renderRunEnd(repository: string, run: Run): string {
  return renderOutcome(`${repository} #${run.number}`, run, (failed) => advice(repository, run, failed));
}

/** `advise`: what to do about a run that did not succeed, with the jobs that failed. */
export function renderOutcome(title: string, run: Run, advise: (failed: readonly Job[]) => string[]): string {
  const span = spanOf(run);
  const head = `${statusMark(run.status)} ${colors.bold(title)} ${paintStatus(run.status)}`;
  const stages = run.stages.filter((stage) => spanOf(stage) !== undefined);
  const parts = stages.map((stage) => `${stage.name} ${formatSpan(spanOf(stage) ?? 0)}`).join(" · ");
  const lines = [
    "",
    `${head}${span === undefined ? "" : ` in ${formatSpan(span)}`}${parts ? colors.dim(`  (${parts})`) : ""}`,
  ];
  if (run.warnings > 0)
    lines.push(colors.yellow(`  ${run.warnings} ${run.warnings === 1 ? "failure" : "failures"} allowed`));
  for (const job of run.stages.flatMap((stage) => stage.jobs))
    lines.push(
      ...attemptWarnings(job).map(
        (warning) => `  ${colors.bold(terminalSafe(jobLabel(job)))} ${colors.yellow(warning)}`,
      ),
    );
  if (run.status === "success" || run.status === "skipped") return lines.join("\n");
  if (run.error)
    lines.push(
      "",
      ...run.error.message
        .trimEnd()
        .split("\n")
        .map((line) => `  ${terminalSafe(line)}`),
    );
  else if (run.message && run.stages.length === 0) lines.push(`  ${inOneLine(run.message)}`);
  const failed = run.stages.flatMap((stage) => stage.jobs).filter(hasFailed);
  if (failed.length > 0) lines.push("", ...failed.map((job) => `  ${jobMark(job)} ${failureOf(job)}`));
  const advised = advise(failed);
  if (advised.length > 0) lines.push("", ...advised);
  return lines.join("\n");
}

const failures: ReadonlySet<Schemas["Status"]> = new Set(failedStatuses);

function hasFailed({ status }: { status: Schemas["Status"] }): boolean {
  return failures.has(status);
}

function failureOf(job: Job): string {
  const step = job.attempts.at(-1)?.steps.find(hasFailed);
  const where = step ? ` ${colors.dim("›")} ${terminalSafe(step.name)}` : "";
  // What was ended, as at a time limit, has an exit code too.
  const code = step?.exit_code ?? null;
  const isExit = code !== null && step?.reason === `exit:${code}`;
  const why = isExit ? `exit code ${code}` : (step?.message ?? job.message ?? job.reason);
  const allowed = job.allowed_failure ? colors.yellow(` ${allowedText}`) : "";
  return `${colors.bold(terminalSafe(jobLabel(job)))}${where}${why ? colors.dim(`  ${inOneLine(why)}`) : ""}${allowed}`;
}

function advice(repository: string, run: Run, failed: readonly Job[]): string[] {
  const command = (text: string, of = repository) => `forgeline pipeline ${text} -R ${of}`;
  const [logged] = failed.filter(hasLog).toSorted((a, b) => +a.allowed_failure - +b.allowed_failure);
  const started = run.children.find((child) => hasFailed(child) && failed.some(({ id }) => id === child.job));
  const rows: [string, string][] = [];
  if (logged) rows.push(["log", command(`logs ${run.number} --job ${argumentOf(logged, run)}`)]);
  if (started) rows.push(["it started", command(`view ${started.number}`, started.repository)]);
  rows.push(
    run.error ? ["check", "forgeline pipeline lint"] : ["run again", command(`rerun ${run.number} -w`)],
  );
  return rows.map(([name, text]) => `  ${colors.dim(name.padEnd(10))} ${text}`);
}

/** Not what no runner has had, as a job that starts a pipeline. */
function hasLog({ attempts }: Job): boolean {
  return attempts.some(
    ({ runner, steps }) => runner !== null || steps.some((step) => step.started_at !== null),
  );
}

/** What names the job in a shell: the id where what people call it is not its alone, or is nothing to quote. */
function argumentOf(job: Job, run: Run): string {
  if (job.matrix === null) return job.key;
  const label = jobLabel(job);
  const jobs = run.stages.flatMap((stage) => stage.jobs);
  const isAlone = jobs.every((other) => other === job || ![jobLabel(other), other.name].includes(label));
  return isAlone && /^[\w ().,:/@=+-]+$/.test(label) ? `"${label}"` : job.id;
}

function spanOf(node: { started_at: string | null; finished_at: string | null }): number | undefined {
  if (node.started_at === null || node.finished_at === null) return undefined;
  return Date.parse(node.finished_at) - Date.parse(node.started_at);
}
