/** Which audit log, and which of its entries. */
import type { Command } from "commander";
import { UsageError } from "../connection/settings.ts";
import { omitUndefined } from "./omit-undefined.ts";

export interface InstanceOption {
  instance?: boolean;
}

export interface Filters {
  actor?: string;
  action?: string;
  target?: string;
  since?: string;
  until?: string;
  search?: string;
}

/** Which log, and which of its entries. */
export function addFilterOptions(command: Command): Command {
  return command
    .option("--instance", "the instance's own entries, for administrators")
    .option("--actor <name>", "only entries of this user")
    .option("--action <kind>", "only this action, or a category such as repo.*")
    .option("--target <target>", "only entries about repo:<org>/<repo> or team:<org>/<team>")
    .option("--since <time>", "entries from this day or time on")
    .option("--until <time>", "entries up to this day or time")
    .option("--search <text>", "only entries with this text");
}

export function filtersOf({ actor, action, target, since, until, search }: Filters) {
  return omitUndefined({ actor, action, target, since, until, q: search });
}

/** Undefined for the instance's log. */
export function organizationOf(org: string | undefined, { instance }: InstanceOption): string | undefined {
  if ((org === undefined) !== (instance === true))
    throw new UsageError("which log? Name an organization, or give --instance");
  return org;
}
