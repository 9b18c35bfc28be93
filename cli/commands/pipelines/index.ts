/** `forgeline pipeline`: all that concerns runs. */
import { Command } from "commander";
import { cancelCommand } from "./cancel.ts";
import { concurrencyCommand } from "./concurrency.ts";
import { declareLostCommand } from "./declare-lost.ts";
import { lintCommand } from "./lint.ts";
import { listCommand } from "./list.ts";
import { logsCommand } from "./logs.ts";
import { rerunCommand } from "./rerun.ts";
import { runCommand } from "./run.ts";
import { viewCommand } from "./view.ts";
import { watchCommand } from "./watch.ts";

export function pipelineCommand(): Command {
  const pipeline = new Command("pipeline").description("Pipeline runs");
  for (const make of [
    runCommand,
    listCommand,
    viewCommand,
    watchCommand,
    logsCommand,
    cancelCommand,
    rerunCommand,
    declareLostCommand,
    concurrencyCommand,
    lintCommand,
  ])
    pipeline.addCommand(make());
  return pipeline;
}
