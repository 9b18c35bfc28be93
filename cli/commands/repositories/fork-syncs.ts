/** `forgeline repo sync|sync-status|sync-schedule|sync-unschedule`: a fork and its upstream. */
import { Option, type Command } from "commander";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { valueOf } from "../../connection/api.ts";
import { contextOf } from "../../context.ts";
import { omitUndefined } from "../../options/omit-undefined.ts";
import { renderFields } from "../../output/fields.ts";
import { terminalSafe } from "../../output/terminal-safe.ts";
import { meant } from "./meant-repository.ts";
import { addTimeOptions, keptTimes, timesInWords, timesOf, type TimeOptions } from "../mirrors/settings.ts";

type ForkSync = Schemas["ForkSync"];
type ForkSchedule = Schemas["ForkSchedule"];
type Standing = Schemas["ForkStanding"];

export function addForkSyncCommands(repo: Command): void {
  repo
    .command("sync [owner/name]")
    .description("Sync a fork with its upstream: branches go on, or get a merge commit")
    .option("--branch <name>", "one branch (default: every branch that both have)")
    .option("--dry-run", "say what would be done, and change nothing")
    .action(sync);
  repo
    .command("sync-status [owner/name]")
    .description("Show how far a fork is behind and ahead of its upstream, and how it is synced")
    .option("--branch <name>", "branch (default: the default one)")
    .action(status);
  addTimeOptions(repo.command("sync-schedule [owner/name]"))
    .description("Sync a fork by itself from now on, or change that; what is not given stays")
    .option("--branch <name>", "one branch (default: every branch that both have)")
    .addOption(new Option("--all-branches", "every branch that both have, again").conflicts("branch"))
    .option("--pause", "do not sync until it is resumed")
    .addOption(new Option("--resume", "sync again at its times").conflicts("pause"))
    .action(setSchedule);
  repo
    .command("sync-unschedule [owner/name]")
    .description("Sync a fork by itself no more")
    .action(removeSchedule);
}

async function sync(
  name: string | undefined,
  options: { branch?: string; dryRun?: boolean },
  command: Command,
): Promise<void> {
  const context = await contextOf(command);
  const path = await meant(context, name);
  const body = omitUndefined({ branch: options.branch, dry_run: options.dryRun });
  const done = await valueOf(context.api.POST("/repos/{owner}/{repo}/sync", { params: { path }, body }));
  context.print(done, () => sentencesOf(done, options.dryRun === true));
}

function sentencesOf({ status, branches }: ForkSync, isDry: boolean): string {
  if (status === "waiting" || status === "running")
    return "the sync takes longer, and goes on; `forgeline repo sync-status` shows how it ends";
  const lines = branches
    .filter(({ before, behind }) => before === null || behind > 0)
    .map(({ name, before, behind, ahead }) => {
      if (before === null) return `${name}: new, ${behind} commits`;
      const how = ahead > 0 ? `merged, ${ahead} ahead` : "fast-forward";
      return `${name}: ${behind} behind, ${how}`;
    });
  if (lines.length === 0) return "up to date";
  return [isDry ? "would be synced:" : "synced:", ...lines].map(terminalSafe).join("\n");
}

async function status(
  name: string | undefined,
  { branch }: { branch?: string },
  command: Command,
): Promise<void> {
  const context = await contextOf(command);
  const path = await meant(context, name);
  const query = omitUndefined({ branch });
  const found = await valueOf(context.api.GET("/repos/{owner}/{repo}/sync", { params: { path, query } }));
  context.print(found, () => renderFields(fieldsOf(found)));
}

function fieldsOf({
  upstream,
  branch,
  behind,
  ahead,
  last_sync: last,
  schedule,
}: Standing): [string, string][] {
  return [
    ["upstream", upstream?.full_name ?? "none that you can see"],
    ["branch", branch],
    ["behind", String(behind ?? "unknown")],
    ["ahead", String(ahead ?? "unknown")],
    ["last sync", last === null ? "none" : `${last.status} ${last.finished_at ?? last.created_at}`],
    ["error", last?.error ?? "none"],
    ...(last?.conflicts ?? []).map((conflict): [string, string] => [
      "conflict",
      `${conflict.branch}: ${conflict.paths.join(", ")}`,
    ]),
    ["schedule", schedule === null ? "none" : timesInWords(schedule)],
    ...(schedule === null
      ? []
      : ([
          ["scheduled branch", schedule.branch ?? "every branch that both have"],
          ["for", schedule.owner ?? "nobody"],
          ["next sync", schedule.next_sync_at ?? (schedule.enabled ? "unknown" : "paused")],
          ["failures", String(schedule.failures)],
        ] satisfies [string, string][])),
  ];
}

interface ScheduleOptions extends TimeOptions {
  branch?: string;
  allBranches?: boolean;
  pause?: boolean;
  resume?: boolean;
}

async function setSchedule(
  name: string | undefined,
  options: ScheduleOptions,
  command: Command,
): Promise<void> {
  const context = await contextOf(command);
  const path = await meant(context, name);
  const standing = await valueOf(context.api.GET("/repos/{owner}/{repo}/sync", { params: { path } }));
  const body = scheduleOf(options, standing.schedule);
  const address = "/repos/{owner}/{repo}/sync/schedule";
  const absent = `there is no repository ${path.owner}/${path.repo}, or you may not see it`;
  const set = await valueOf(context.api.PUT(address, { params: { path }, body }), absent);
  context.print(set, () => terminalSafe(sentenceOfSchedule(set)));
}

/** The request sets everything: what is not given is taken from `before`. */
function scheduleOf(options: ScheduleOptions, before: ForkSchedule | null): Schemas["ForkScheduleSet"] {
  const { branch, allBranches, pause, resume } = options;
  return {
    ...(timesOf(options, before ?? undefined) ?? (before && keptTimes(before))),
    branch: allBranches ? null : (branch ?? before?.branch ?? null),
    enabled: resume ? true : pause ? false : (before?.enabled ?? true),
  };
}

function sentenceOfSchedule(schedule: ForkSchedule): string {
  const which = schedule.branch === null ? "" : `, branch ${schedule.branch}`;
  return `synced by itself: ${timesInWords(schedule)}${which}${schedule.enabled ? "" : ", paused"}`;
}

async function removeSchedule(name: string | undefined, _options: unknown, command: Command): Promise<void> {
  const context = await contextOf(command);
  const path = await meant(context, name);
  await valueOf(context.api.DELETE("/repos/{owner}/{repo}/sync/schedule", { params: { path } }));
  context.print(
    { schedule: null },
    () => `${terminalSafe(`${path.owner}/${path.repo}`)} is no longer synced automatically`,
  );
}
