/** `forgeline mirror`: a repository that follows an external one. */
import { Command } from "commander";
import { addExamples } from "../../output/examples.ts";
import { addConfigurationCommands } from "./configure.ts";
import { addHistoryCommands } from "./history.ts";

export function mirrorCommand(): Command {
  const mirror = new Command("mirror").description("Mirrors: repositories that follow an external one");
  addConfigurationCommands(mirror);
  addHistoryCommands(mirror);
  addExamples(mirror, [
    "forgeline mirror preview https://git.example.com/ada/hello.git",
    "forgeline mirror set https://git.example.com/ada/hello.git --every 30",
    "forgeline mirror set git@git.example.com:ada/hello.git --cron '15 3 * * *' --timezone Europe/Berlin",
    "forgeline mirror sync --wait",
  ]);
  return mirror;
}
