/** `forgeline pipeline run`: trigger a run. */
import { Command } from "commander";
import { finalStatuses } from "@forgeline/client/generated/statuses.ts";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { valueOf } from "../../connection/api.ts";
import { contextOf } from "../../context.ts";
import { collectPair } from "../../options/pairs.ts";
import { renderRunEnd } from "../../output/run-summary.ts";
import { exitStatusOf, followRun } from "./follow.ts";
import { foreseenLines } from "./foreseen-text.ts";

interface RunFlags {
  ref?: string;
  pipeline?: string;
  variable: Record<string, string>;
  input: Record<string, string>;
  watch?: boolean;
}

export function runCommand(): Command {
  return new Command("run")
    .description("Start a pipeline")
    .option("--ref <ref>", "branch, tag or commit (default: the default branch)")
    .option("--pipeline <name>", "which of several files in .forgeline/")
    .option("-v, --variable <key=value>", "variable of the run; may be repeated", collectPair, {})
    .option("-i, --input <name=value>", "input that the file declares; may be repeated", collectPair, {})
    .option("-w, --watch", "follow the run; exit with its result")
    .action(async (flags: RunFlags, command: Command) => {
      const context = await contextOf(command);
      const body = {
        ...(flags.ref === undefined ? {} : { ref: flags.ref }),
        ...(flags.pipeline === undefined ? {} : { pipeline: flags.pipeline }),
        variables: flags.variable,
        inputs: flags.input,
      };
      const path = await context.repository();
      const run = await valueOf(
        context.api.POST("/repos/{owner}/{repo}/pipelines", { params: { path }, body }),
      );
      const hasEnded = finalStatuses.some((status) => status === run.status);
      context.print(run, () =>
        hasEnded && !flags.watch ? endedText(`${path.owner}/${path.repo}`, run) : startedText(run),
      );
      if (flags.watch) process.exitCode = await followRun(context, { pipeline: run.id, logs: true });
      else if (hasEnded) process.exitCode = exitStatusOf(run.status);
    });
}

function startedText(run: Schemas["Pipeline"]): string {
  return [`started #${run.number}  ${run.web_url}`, ...foreseenLines(run.foreseen)].join("\n");
}

/** Of a run that was over when it was created, as one whose file has errors. */
function endedText(repository: string, run: Schemas["Pipeline"]): string {
  return `created #${run.number}  ${run.web_url}\n${renderRunEnd(repository, run)}`;
}
