/** The protection of an environment on the command line. */
import { Option, type Command } from "commander";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { approvalLevels } from "@forgeline/client/generated/choices.ts";
import { whoMayApprove } from "../pipelines/who-may-approve.ts";
import { UsageError } from "../../connection/settings.ts";
import { listed } from "../../options/listed.ts";

type Protection = Schemas["EnvironmentProtection"];

type Environment = Pick<Schemas["Environment"], "protection" | "allow_shell">;

export interface ProtectionFlags {
  branches?: string;
  tags?: string;
  approvers?: string;
  level?: (typeof approvalLevels)[number];
  count?: string;
  self?: boolean;
  wait?: string;
  refuseOlder?: boolean;
  allowShell?: boolean;
  lift?: string;
}

const nothing: Environment = {
  protection: {
    branches: [],
    tags: [],
    approvers: [],
    level: null,
    count: 0,
    allow_self: true,
    wait_minutes: 0,
    refuse_older: false,
  },
  allow_shell: false,
};

/** What `--lift` takes away, by its words. */
const lifted: Record<string, Partial<Protection>> = {
  branches: { branches: [] },
  tags: { tags: [] },
  approvers: { approvers: [], level: null, count: 0, allow_self: true },
  wait: { wait_minutes: 0 },
  "refuse-older": { refuse_older: false },
  all: nothing.protection,
};

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
    .option("--self", "who started the run and the author of the commit may approve too")
    .option("--no-self", "neither of them may approve")
    .option("--wait <minutes>", "how long each job waits before it deploys")
    .option(
      "--refuse-older",
      "not where a newer run has deployed already, unless somebody runs the job again",
    )
    .option("--allow-shell", "shells may be opened in jobs that use secrets and deploy to it")
    .option("--no-allow-shell", "they may not (default)")
    .option("--lift <parts>", `what to take away, separated by commas: ${Object.keys(lifted).join(", ")}`);
}

/** What is there, without what is lifted, with what is named. Throws `UsageError`. */
export function changedProtection(
  before: Environment = nothing,
  flags: ProtectionFlags,
): Schemas["EnvironmentPut"] {
  const kept = Object.assign({ ...before.protection }, ...listed(flags.lift).map(liftedBy)) as Protection;
  const { branches, tags, approvers, level, count, self, wait, refuseOlder } = flags;
  const { count: keptCount, ...rest } = kept;
  const wanted = count === undefined ? keptCount : wholeNumber("--count", count);
  return {
    protection: {
      ...rest,
      // Whoever says only who may approve wants the usual count.
      ...(wanted === 0 && count === undefined ? {} : { count: wanted }),
      ...(branches === undefined ? {} : { branches: listed(branches) }),
      ...(tags === undefined ? {} : { tags: listed(tags) }),
      ...(approvers === undefined ? {} : { approvers: listed(approvers) }),
      ...(level === undefined ? {} : { level }),
      ...(self === undefined ? {} : { allow_self: self }),
      ...(refuseOlder === undefined ? {} : { refuse_older: refuseOlder }),
      ...(wait === undefined ? {} : { wait_minutes: wholeNumber("--wait", wait) }),
    },
    allow_shell: flags.allowShell ?? before.allow_shell,
  };
}

function liftedBy(part: string): Partial<Protection> {
  const found = Object.hasOwn(lifted, part) ? lifted[part] : undefined;
  if (found) return found;
  throw new UsageError(`--lift takes ${Object.keys(lifted).join(", ")}, not ${part}`);
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
