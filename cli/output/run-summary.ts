/** The first lines of a watched run, and the last ones: how it ended, what failed and why, and what to do next. */
import { jobLabel } from "./job-label.ts";
import { attemptWarnings } from "./attempt-warnings.ts";
import { colors } from "./colors.ts";
import { failedStatuses } from "@forgeline/client/generated/statuses.ts";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { formatSpan, paintStatus, shortRef, statusMark } from "./style.ts";
import { terminalSafe } from "./terminal-safe.ts";

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
  if (run.warnings > 0) lines.push(colors.yellow(`  ${run.warnings} allowed to fail did`));
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
  else if (run.message && run.stages.length === 0) lines.push(`  ${terminalSafe(run.message)}`);
  const failed = run.stages.flatMap((stage) => stage.jobs).filter(hasFailed);
  if (failed.length > 0)
    lines.push("", ...failed.map((job) => `  ${statusMark(job.status)} ${failureOf(job)}`));
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
  const code = step?.exit_code ?? null;
  const why = code === null ? (step?.message ?? job.message ?? job.reason) : `exit code ${code}`;
  const allowed = job.allowed_failure ? colors.dim(" (allowed)") : "";
  return `${colors.bold(terminalSafe(jobLabel(job)))}${where}${why ? colors.dim(`  ${terminalSafe(why)}`) : ""}${allowed}`;
}

function advice(repository: string, run: Run, failed: readonly Job[]): string[] {
  const command = (text: string) => `forgeline pipeline ${text} -R ${repository}`;
  const [first] = failed;
  const rows: [string, string][] = [
    ...(first
      ? [
          ["log", command(`logs ${run.number} --job ${first.matrix ? first.id : first.key}`)] as [
            string,
            string,
          ],
        ]
      : []),
    run.error ? ["check", "forgeline pipeline lint"] : ["run again", command(`rerun ${run.number} -w`)],
  ];
  return rows.map(([name, text]) => `  ${colors.dim(name.padEnd(10))} ${text}`);
}

function spanOf(node: { started_at: string | null; finished_at: string | null }): number | undefined {
  if (node.started_at === null || node.finished_at === null) return undefined;
  return Date.parse(node.finished_at) - Date.parse(node.started_at);
}
