/** `forgeline codeowners`: who owns the files of a repository, and what is wrong with the file that says so. */
import { Command } from "commander";
import { addExamples } from "../../output/examples.ts";
import { checkCommand } from "./check.ts";
import { ownersCommand } from "./owners.ts";

export function codeOwnersCommand(): Command {
  const codeOwners = new Command("codeowners")
    .description("Who owns the files of a repository, by its CODEOWNERS file")
    .addCommand(checkCommand())
    .addCommand(ownersCommand());
  addExamples(codeOwners, [
    "forgeline codeowners check",
    "forgeline codeowners check --ref main -R acme/api",
    "forgeline codeowners owners src/index.ts docs/guide.md",
  ]);
  return codeOwners;
}
