/** `forgeline import`: repositories from other hosts, with issues and merge requests. */
import { Command } from "commander";
import { addExamples } from "../../output/examples.ts";
import { addBeginCommands } from "./begin.ts";
import { addViewCommands } from "./view.ts";

export function importCommand(): Command {
  const imports = new Command("import").description(
    "Imports: repositories from GitHub and GitLab, with issues and merge requests",
  );
  addBeginCommands(imports);
  addViewCommands(imports);
  addExamples(imports, [
    "forgeline import github octocat/hello-world --token-file token.txt --wait",
    "forgeline import gitlab group/tool --to acme/tool --user maria=mary --token-file token.txt",
    "forgeline import view ID",
    "forgeline import report ID",
  ]);
  return imports;
}
