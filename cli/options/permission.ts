/** `--permission`, the same wherever a level on a repository is given. */
import { Option } from "commander";

/** From low to high, each with what the ones before it may. */
const levels = ["read", "triage", "write", "maintain", "admin"] as const;

export function permissionOption(): Option {
  return new Option("--permission <level>", "permission on the repository").choices(levels);
}
