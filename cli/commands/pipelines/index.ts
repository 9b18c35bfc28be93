/** `forgeline pipeline`: all that concerns runs. */
import { Command } from "commander";
import { badgeCommand } from "./badges.ts";
import { annotationsCommand } from "../reports/annotations.ts";
import { runCoverageCommand } from "../coverage/run-coverage.ts";
import { runTestsCommand } from "../tests/run-tests.ts";
import { summaryCommand } from "../reports/summary.ts";
import { approvalsCommand, approveCommand, rejectCommand } from "./approvals.ts";
import { cancelCommand } from "./cancel.ts";
import { concurrencyCommand } from "./concurrency.ts";
import { declareLostCommand } from "./declare-lost.ts";
import { eventsCommand } from "./events.ts";
import { keepOpenCommand } from "../shells/keep-open.ts";
import { shellCommand } from "../shells/shell.ts";
import { limitsCommand } from "./limits.ts";
import { lintCommand } from "./lint.ts";
import { listCommand } from "./list.ts";
import { logsCommand } from "./logs.ts";
import { planCommand } from "./plan.ts";
import { rerunCommand } from "./rerun.ts";
import { runCommand } from "./run.ts";
import { exportCommand } from "./export.ts";
import { statisticsCommand } from "./run-statistics.ts";
import { searchCommand } from "./search-logs.ts";
import { viewCommand } from "./view.ts";
import { watchCommand } from "./watch.ts";

export function pipelineCommand(): Command {
  const pipeline = new Command("pipeline").description("Pipeline runs");
  for (const make of [
    runCommand,
    listCommand,
    viewCommand,
    watchCommand,
    eventsCommand,
    logsCommand,
    searchCommand,
    statisticsCommand,
    exportCommand,
    annotationsCommand,
    summaryCommand,
    runTestsCommand,
    runCoverageCommand,
    cancelCommand,
    rerunCommand,
    declareLostCommand,
    shellCommand,
    keepOpenCommand,
    approvalsCommand,
    approveCommand,
    rejectCommand,
    concurrencyCommand,
    limitsCommand,
    lintCommand,
    planCommand,
    badgeCommand,
  ])
    pipeline.addCommand(make());
  return pipeline;
}
