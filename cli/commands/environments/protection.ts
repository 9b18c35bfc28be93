/** The protection of an environment on the command line. */
import { Option, type Command } from "commander";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { approvalLevels } from "@forgeline/client/generated/choices.ts";
import { whoMayApprove } from "../pipelines/who-may-approve.ts";
import { UsageError } from "../../connection/settings.ts";

type Protection = Schemas["EnvironmentProtection"];

export interface ProtectionFlags {
  branches?: string;
  tags?: string;
  approvers?: string;
  level?: (typeof approvalLevels)[number];
  count?: string;
  self: boolean;
  wait?: string;
  refuseOlder?: boolean;
  allowShell?: boolean;
}

export function addProtectionOptions(command: Command): Command {
  return command
    .option("--branches <globs>", "only runs of these branches, separated by commas")
    .option("--tags <globs>", "only runs of these tags")
    .option(
      "--approvers <names>",
      "users, and teams as ORG/TEAM, who may approve (default: everyone with --level)",
    )
    .addOption(
      new Option(
        "--level <level>",
        "everyone with at least this permission may approve too (default: write without --approvers)",
      ).choices(approvalLevels),
    )
    .option(
      "--count <n>",
      "how many of them have to approve (default: 1 with --approvers or --level, otherwise none)",
    )
    .option("--no-self", "neither who started the run nor the author of the commit may approve")
    .option("--wait <minutes>", "how long each job waits before it deploys")
    .option(
      "--refuse-older",
      "not where a newer run has deployed already, unless somebody runs the job again",
    )
    .option("--allow-shell", "shells may be opened in jobs that use secrets and deploy to it");
}

export function protectionOf(flags: ProtectionFlags): NonNullable<Schemas["EnvironmentPut"]["protection"]> {
  const { branches, tags, approvers, level, count, self, wait, refuseOlder = false } = flags;
  return {
    branches: listed(branches),
    tags: listed(tags),
    approvers: listed(approvers),
    ...(level === undefined ? {} : { level }),
    ...(count === undefined ? {} : { count: wholeNumber("--count", count) }),
    allow_self: self,
    refuse_older: refuseOlder,
    ...(wait === undefined ? {} : { wait_minutes: wholeNumber("--wait", wait) }),
  };
}

function listed(text: string | undefined): string[] {
  return (text ?? "")
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

/** Throws `UsageError`. */
export function wholeNumber(option: string, text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new UsageError(`${option} takes a whole number`);
  return Number(text);
}

/** In a few words. */
export function protectionText({ branches, tags, count, ...rest }: Protection): string {
  const parts = [
    ...(branches.length > 0 ? [`branches ${branches.join(",")}`] : []),
    ...(tags.length > 0 ? [`tags ${tags.join(",")}`] : []),
    ...(count > 0 ? [`${count} of ${whoMayApprove(rest)} approve`] : []),
    ...(count > 0 && !rest.allow_self ? ["not by oneself"] : []),
    ...(rest.refuse_older ? ["nothing older"] : []),
    ...(rest.wait_minutes > 0 ? [`wait ${rest.wait_minutes} min`] : []),
  ];
  return parts.join("; ") || "none";
}
