/** `forgeline pipeline run`: trigger a run. */
import { Command } from "commander";
import { valueOf } from "../../connection/api.ts";
import { contextOf } from "../../context.ts";
import { collectPair } from "../../options/pairs.ts";
import { followRun } from "./follow.ts";
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
      const run = await valueOf(
        context.api.POST("/repos/{owner}/{repo}/pipelines", {
          params: { path: await context.repository() },
          body,
        }),
      );
      context.print(run, () =>
        [`started #${run.number}  ${run.web_url}`, ...foreseenLines(run.foreseen)].join("\n"),
      );
      if (flags.watch) process.exitCode = await followRun(context, { pipeline: run.id, logs: true });
    });
}
