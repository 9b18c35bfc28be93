/** `forgeline artifact`: files that jobs of a run left behind. */
import { Command } from "commander";
import { addExamples } from "../../output/examples.ts";
import { addDownloadCommand } from "./download.ts";
import { addListCommands } from "./list.ts";

export function artifactCommand(): Command {
  const artifact = new Command("artifact").description("Artifacts: files that jobs of a run left behind");
  addListCommands(artifact);
  addDownloadCommand(artifact);
  addExamples(artifact, [
    "forgeline artifact list 12",
    "forgeline artifact download 12 dist -o dist.zip",
    "forgeline artifact download 12 dist --file dist/app.js -o -",
  ]);
  return artifact;
}
