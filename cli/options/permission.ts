/** `--permission`, the same wherever a level on a repository is given. */
import { Option } from "commander";
import { repositoryLevels } from "@forgeline/client/generated/choices.ts";

export function permissionOption(): Option {
  return new Option("--permission <level>", "permission on the repository").choices(repositoryLevels);
}
