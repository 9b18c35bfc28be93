/** `forgeline import`: repositories from other hosts, with issues and merge requests. */
import { Command } from "commander";
import { addExamples } from "../../output/examples.ts";
import { addArchiveCommands } from "./archives.ts";
import { addBeginCommands } from "./begin.ts";
import { addPeopleCommands } from "./people.ts";
import { addViewCommands } from "./view.ts";

export function importCommand(): Command {
  const imports = new Command("import").description(
    "Imports: repositories from GitHub and GitLab, with issues and merge requests",
  );
  addBeginCommands(imports);
  addViewCommands(imports);
  addPeopleCommands(imports);
  addArchiveCommands(imports);
  addExamples(imports, [
    "forgeline import github octocat/hello-world --token-file token.txt --wait",
    "forgeline import gitlab group/tool --to acme/tool --user maria=mary --token-file token.txt",
    "forgeline import github octocat/hello-world --archive export.tar.gz --wait",
    "forgeline import view ID",
    "forgeline import report ID",
    "forgeline import name ID octocat=ada",
  ]);
  return imports;
}
