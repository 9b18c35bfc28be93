/** `forgeline pipeline view`: one run with stages, jobs and why each stands where it stands. */
import { Command } from "commander";
import { finalStatuses } from "@forgeline/client/generated/statuses.ts";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { colors } from "../../output/colors.ts";
import { renderDiagnostics } from "@forgeline/compiler/render-diagnostic.ts";
import { valueOf } from "../../connection/api.ts";
import { runNotFoundText } from "../../connection/repository.ts";
import { contextOf } from "../../context.ts";
import { attemptWarnings, type WarnedJob } from "../../output/attempt-warnings.ts";
import { silentRunner, type HeldJob } from "../../output/silent-runner.ts";
import {
  allowedText,
  formatDuration,
  jobMark,
  paintStatus,
  shortRef,
  statusMark,
} from "../../output/style.ts";
import { inOneLine, terminalSafe } from "../../output/terminal-safe.ts";
import { credentialLines } from "./credentials-text.ts";
import { foreseenLines } from "./foreseen-text.ts";
import { gateNotes } from "./gate-notes.ts";
import { renderPins } from "./render-pins.ts";

export function viewCommand(): Command {
  return new Command("view")
    .description("Show a run: its stages and jobs, and the reasons for their status")
    .argument("<run>", "number or id")
    .option("--credentials", "also the names of the secrets, and the identity tokens, that jobs were given")
    .action(async (id: string, flags: { credentials?: true }, command: Command) => {
      const context = await contextOf(command);
      const path = { ...(await context.repository()), id };
      const run = await valueOf(
        context.api.GET("/repos/{owner}/{repo}/pipelines/{id}", { params: { path } }),
        runNotFoundText(path, id),
      );
      const docsUrl = `${context.connection.url}/docs`;
      if (!flags.credentials) return context.print(run, () => renderRun(run, docsUrl));
      const credentials = await valueOf(
        context.api.GET("/repos/{owner}/{repo}/pipelines/{id}/credentials", { params: { path } }),
      );
      context.print({ ...run, credentials }, () => renderRun(run, docsUrl, credentials));
    });
}

const final: ReadonlySet<string> = new Set(finalStatuses);

type Diagnostic = Parameters<typeof renderDiagnostics>[0][number];

interface Node {
  name: string;
  status: string;
  reason: string | null;
  message: string | null;
  duration: number | null;
  /** Of a job. */
  allowed_failure?: boolean;
}

interface Placed {
  placement: { runner: { name: string } | null; shares_workspace: boolean; lost: boolean } | null;
}

interface Run extends Omit<Node, "name"> {
  number: number;
  ref: string;
  sha: string;
  error: { message: string; diagnostics: Diagnostic[] } | null;
  stages: (Node & Placed & { jobs: (Node & WarnedJob & HeldJob & { id: string })[] })[];
  templates: Parameters<typeof renderPins>[0];
  approvals: Parameters<typeof gateNotes>[0][];
  foreseen: Parameters<typeof foreseenLines>[0];
  parent: { repository: string; number: number } | null;
  children: { repository: string; number: number; status: string; job: string; pipeline: string }[];
}

/** All that is wrong with the file; where the file itself could not be judged, only the sentence. */
function renderProblems(error: { message: string; diagnostics: Diagnostic[] }, docsUrl: string): string {
  if (error.diagnostics.length === 0) return error.message.split("\n").map(terminalSafe).join("\n");
  return renderDiagnostics(error.diagnostics, { docsUrl });
}

function renderRun(run: Run, docsUrl: string, given: readonly Schemas["JobCredentials"][] = []): string {
  const lines = [
    `${statusMark(run.status)} ${colors.bold(`#${run.number}`)} ${paintStatus(run.status)}  ${shortRef(run.ref)} ${run.sha.slice(0, 8)}  ${formatDuration(run.duration)}`,
  ];
  if (run.message && !run.error) lines.push(`  ${inOneLine(run.message)}`);
  if (!final.has(run.status)) lines.push(...foreseenLines(run.foreseen));
  if (run.parent) lines.push(`  started by ${terminalSafe(nameOf(run.parent))}`);
  lines.push(...run.approvals.flatMap(gateNotes).map((note) => `  ${note}`));
  if (run.error) lines.push("", renderProblems(run.error, docsUrl));
  if (run.templates.length > 0) lines.push("", renderPins(run.templates));
  for (const stage of run.stages) {
    lines.push("", `  ${renderNode(stage, colors.bold)}`, ...renderPlacement(stage));
    for (const job of stage.jobs)
      lines.push(
        `    ${renderNode(job)}`,
        ...[silentRunner(job) ?? [], attemptWarnings(job)]
          .flat()
          .map((line) => colors.yellow(`      ${line}`)),
        ...credentialLines(given, job.id).map((line) => colors.dim(`      ${line}`)),
        ...run.children.filter((child) => child.job === job.id).map(renderChild),
      );
  }
  return lines.join("\n");
}

function nameOf({ repository, number }: { repository: string; number: number }): string {
  return `${repository} #${number}`;
}

function renderChild(child: Run["children"][number]): string {
  const name = terminalSafe(`${nameOf(child)} (${child.pipeline})`);
  return `      ${statusMark(child.status)} ${colors.dim("started")} ${name}  ${paintStatus(child.status)}`;
}

/** Where all jobs of the stage run. */
function renderPlacement({ placement }: Placed): string[] {
  if (!placement?.runner) return [];
  const where = `all jobs on ${terminalSafe(placement.runner.name)}`;
  const how = placement.lost
    ? ", which the stage has lost"
    : placement.shares_workspace
      ? ", in one workspace"
      : "";
  return [colors.dim(`    ${where}${how}`)];
}

function renderNode(node: Node, paint: (name: string) => string = (name) => name): string {
  const why = inOneLine(node.message ?? node.reason ?? "");
  const allowed = node.allowed_failure ? colors.yellow(` ${allowedText}`) : "";
  const word = node.allowed_failure ? colors.yellow(node.status) : paintStatus(node.status);
  return `${jobMark(node)} ${paint(terminalSafe(node.name))}  ${word}${allowed}  ${colors.dim(formatDuration(node.duration))}${why ? colors.dim(`  ${why}`) : ""}`;
}
