/** `forgeline push-mirror`: other servers that get what is pushed to a repository. */
import { Command } from "commander";
import { addExamples } from "../../output/examples.ts";
import { addConfigurationCommands } from "./configure.ts";
import { addHistoryCommands } from "./history.ts";

export function pushMirrorCommand(): Command {
  const mirror = new Command("push-mirror").description(
    "Push mirrors: other servers that get what is pushed to a repository",
  );
  addConfigurationCommands(mirror);
  addHistoryCommands(mirror);
  addExamples(mirror, [
    "forgeline push-mirror create https://git.example.com/ada/hello.git --username ada --password-file token.txt",
    "forgeline push-mirror create git@git.example.com:ada/hello.git --refs 'main,refs/tags/*'",
    "forgeline push-mirror list",
    "forgeline push-mirror sync ID --wait",
  ]);
  return mirror;
}
