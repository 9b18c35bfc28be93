/** `forgeline schedule`: pipelines that run at certain times. */
import { Command } from "commander";
import { addExamples } from "../../output/examples.ts";
import { addConfigurationCommands } from "./configure.ts";
import { addRunCommands } from "./runs.ts";

export function scheduleCommand(): Command {
  const schedule = new Command("schedule").description("Schedules: pipelines that run at certain times");
  addConfigurationCommands(schedule);
  addRunCommands(schedule);
  addExamples(schedule, [
    "forgeline schedule create nightly --cron '0 3 * * *' --timezone Europe/Berlin -v DEPTH=full",
    "forgeline schedule list",
    "forgeline schedule run ID",
    "forgeline schedule disable ID",
  ]);
  return schedule;
}
