/** `forgeline schedule list|view|create|edit|enable|disable|delete`. */
import { Option, type Command } from "commander";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { valueOf } from "../../connection/api.ts";
import { UsageError } from "../../connection/settings.ts";
import { contextOf } from "../../context.ts";
import { omitUndefined } from "../../options/omit-undefined.ts";
import { collectPair } from "../../options/pairs.ts";
import { renderFields } from "../../output/fields.ts";
import { renderList } from "../../output/table.ts";
import { terminalSafe } from "../../output/terminal-safe.ts";

type Schedule = Schemas["Schedule"];

const all = "/repos/{owner}/{repo}/schedules";
const one = "/repos/{owner}/{repo}/schedules/{id}";

interface Options {
  name?: string;
  cron?: string;
  timezone?: string;
  ref?: string;
  pipeline?: string;
  variable?: Record<string, string>;
  input?: Record<string, string>;
  ifMissed?: "skip" | "run_once";
  /** For `create`. */
  off?: boolean;
}

export function addConfigurationCommands(schedule: Command): void {
  schedule.command("list").description("List the schedules of the repository").action(list);
  schedule.command("view <id>").description("Show one, with its next and last runs").action(view);
  addOptions(schedule.command("create <name>"))
    .option("--off", "make it, but turned off")
    .description("Run a pipeline at certain times")
    .action(create);
  addOptions(schedule.command("edit <id>").option("--name <name>", "another name"))
    .description("Change one that was made by hand; what is not given stays")
    .action(edit);
  schedule
    .command("enable <id>")
    .description("Turn one on")
    .action((id: string, _options, command: Command) => patch(id, { enabled: true }, command));
  schedule
    .command("disable <id>")
    .description("Turn one off")
    .action((id: string, _options, command: Command) => patch(id, { enabled: false }, command));
  schedule
    .command("delete <id>")
    .description("Delete one that was made by hand; its runs stay")
    .action(remove);
}

function addOptions(command: Command): Command {
  return command
    .option("--cron <line>", "times: minute, hour, day of the month, month, day of the week")
    .option("--timezone <name>", "IANA time zone of --cron, for example Europe/Berlin (default: UTC)")
    .option("--ref <ref>", "branch or tag to run (default: the default branch)")
    .option("--pipeline <name>", "which of several files in .forgeline/")
    .option("-v, --variable <key=value>", "variable of the runs; may be repeated", collectPair)
    .option("-i, --input <name=value>", "input that the file declares; may be repeated", collectPair)
    .addOption(
      new Option("--if-missed <what>", "what becomes of times that pass while Forgeline is down").choices([
        "skip",
        "run_once",
      ]),
    );
}

async function list(_options: unknown, command: Command): Promise<void> {
  const { api, print, repository } = await contextOf(command);
  const path = await repository();
  const found = await valueOf(api.GET(all, { params: { path, query: { per_page: 100 } } }));
  print(found, () =>
    renderList(
      "schedules",
      ["ID", "NAME", "TIMES", "NEXT RUN", "LAST RUN", "FROM"],
      found.map((schedule) => [
        schedule.id,
        schedule.name,
        timesOf(schedule),
        nextOf(schedule),
        resultOf(schedule.last_runs[0]),
        schedule.source === "file" ? (schedule.pipeline ?? "") : "by hand",
      ]),
    ),
  );
}

async function view(id: string, _options: unknown, command: Command): Promise<void> {
  const { api, print, repository } = await contextOf(command);
  const path = { ...(await repository()), id };
  const found = await valueOf(api.GET(one, { params: { path } }));
  print(found, () => render(found));
}

async function create(name: string, options: Options, command: Command): Promise<void> {
  const { cron } = options;
  if (cron === undefined) throw new UsageError("say when: --cron '0 3 * * *'");
  const { api, print, repository } = await contextOf(command);
  const path = await repository();
  const body = { ...settingsOf(options), name, cron, enabled: !options.off };
  const made = await valueOf(api.POST(all, { params: { path }, body }));
  print(made, () => render(made));
}

async function edit(id: string, options: Options, command: Command): Promise<void> {
  await patch(id, settingsOf(options), command);
}

async function patch(id: string, body: Schemas["ScheduleUpdate"], command: Command): Promise<void> {
  const { api, print, repository } = await contextOf(command);
  const path = { ...(await repository()), id };
  const changed = await valueOf(api.PATCH(one, { params: { path }, body }));
  print(changed, () => render(changed));
}

async function remove(id: string, _options: unknown, command: Command): Promise<void> {
  const { api, print, repository } = await contextOf(command);
  const path = { ...(await repository()), id };
  await valueOf(api.DELETE(one, { params: { path } }));
  print({ deleted: id }, () => `${terminalSafe(id)} is deleted`);
}

function settingsOf({ name, cron, timezone, ref, pipeline, variable, input, ifMissed }: Options) {
  return omitUndefined({
    name,
    cron,
    timezone,
    ref,
    pipeline,
    variables: variable,
    inputs: input,
    if_missed: ifMissed,
  });
}

function render(schedule: Schedule): string {
  return renderFields([
    ["id", schedule.id],
    ["name", schedule.name],
    ["from", schedule.source === "file" ? (schedule.pipeline ?? "") : "by hand"],
    ["times", timesOf(schedule)],
    ["state", stateOf(schedule)],
    ["owner", schedule.owner ?? "nobody"],
    ["ref", schedule.ref ?? "the default branch"],
    ["pipeline", schedule.pipeline ?? "the only one"],
    ["variables", pairs(schedule.variables)],
    ["inputs", pairs(schedule.inputs)],
    ["if missed", schedule.if_missed],
    ...schedule.next_runs.map((time): [string, string] => ["next run", time]),
    ...schedule.last_runs.map((run): [string, string] => ["last run", `${run.due_at} ${resultOf(run)}`]),
  ]);
}

const timesOf = ({ cron, timezone }: Schedule) => `${cron} ${timezone}`;

function nextOf({ enabled, next_runs: [next] }: Schedule): string {
  return next ?? (enabled ? "none" : "off");
}

/** Of a time that came. */
export function resultOf(run: Schemas["ScheduleRun"] | undefined): string {
  if (!run) return "none";
  if (run.pipeline) return `#${run.pipeline.number} ${run.pipeline.status}`;
  return run.error === null ? run.status : `${run.status}: ${run.error}`;
}

const reasons = {
  owner: "its owner may not run pipelines here any more",
  mirror: "it came with a sync of the mirror",
  fork: "it came from the upstream",
} satisfies Record<NonNullable<Schedule["disabled_reason"]>, string>;

function stateOf({ enabled, disabled_reason: reason, failures }: Schedule): string {
  if (!enabled) return reason === null ? "off" : `off: ${reasons[reason]}`;
  return failures > 0 ? `failed ${failures} times in a row` : "on";
}

function pairs(given: Readonly<Record<string, string | number | boolean>>): string {
  const list = Object.entries(given).map(([key, value]) => `${key}=${value}`);
  return list.length === 0 ? "none" : list.join(" ");
}
