/** `forgeline mirror view|set|pause|resume|remove|preview`. */
import type { Command } from "commander";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { valueOf } from "../../connection/api.ts";
import { contextOf } from "../../context.ts";
import { omitUndefined } from "../../options/omit-undefined.ts";
import { renderFields } from "../../output/fields.ts";
import { renderTable } from "../../output/table.ts";
import { terminalSafe } from "../../output/terminal-safe.ts";
import {
  addLoginOptions,
  addTimeOptions,
  remoteOf,
  timesInWords,
  timesOf,
  type RemoteOptions,
  type TimeOptions,
} from "./settings.ts";

type Mirror = Schemas["Mirror"];
type MirrorSet = Schemas["MirrorSet"];

interface SetOptions extends RemoteOptions, TimeOptions {
  lfs?: boolean;
  replace?: boolean;
}

export function addConfigurationCommands(mirror: Command): void {
  mirror
    .command("view")
    .description("Show what the repository mirrors, and how its last sync went")
    .action(view);
  addTimeOptions(addSourceOptions(mirror.command("set <url>")))
    .description("Make the repository a mirror, or change what it mirrors; what is not given stays")
    .option("--no-lfs", "leave Git LFS objects out")
    .option("--replace", "replace the branches and tags that the repository has")
    .action(set);
  addSourceOptions(mirror.command("preview <url>"))
    .description("Show what would change if the repository mirrored this source; changes nothing")
    .action(preview);
  mirror
    .command("pause")
    .description("Stop syncing; the repository stays a mirror")
    .action((_options, command: Command) => setEnabled(false, command));
  mirror
    .command("resume")
    .description("Sync again, at once and then at its times")
    .action((_options, command: Command) => setEnabled(true, command));
  mirror
    .command("remove")
    .description("Make the mirror an ordinary repository; its content stays")
    .action(remove);
}

function addSourceOptions(command: Command): Command {
  return addLoginOptions(
    command
      .option("--refs <list>", "refs to follow, separated by commas (default: all branches and tags)")
      .option("--no-prune", "keep refs that were deleted there"),
  );
}

async function view(_options: unknown, command: Command): Promise<void> {
  const { api, print, repository } = await contextOf(command);
  const path = await repository();
  const found = await valueOf(api.GET("/repos/{owner}/{repo}/mirror", { params: { path } }));
  print(found, () => renderFields(fieldsOf(found)));
}

async function set(url: string, options: SetOptions, command: Command): Promise<void> {
  const { api, print, repository } = await contextOf(command);
  const path = await repository();
  const address = "/repos/{owner}/{repo}/mirror";
  const { data: before } = await api.GET(address, { params: { path } });
  const kept = before && settingsOf(before);
  const times = timesOf(options) ?? kept?.times ?? {};
  const body: MirrorSet = {
    ...kept?.settings,
    ...times,
    ...(await sourceOf(url, options, before)),
    ...omitUndefined({
      lfs: options.lfs === false ? false : undefined,
      replace: options.replace,
    }),
  };
  const changed = await valueOf(api.PUT(address, { params: { path }, body }));
  print(changed, () => renderFields(fieldsOf(changed)));
}

async function setEnabled(enabled: boolean, command: Command): Promise<void> {
  const { api, print, repository } = await contextOf(command);
  const path = await repository();
  const address = "/repos/{owner}/{repo}/mirror";
  const before = await valueOf(api.GET(address, { params: { path } }));
  const { settings, times } = settingsOf(before);
  const body = { ...settings, ...times, url: before.url, enabled };
  const changed = await valueOf(api.PUT(address, { params: { path }, body }));
  print(changed, () => renderFields(fieldsOf(changed)));
}

async function remove(_options: unknown, command: Command): Promise<void> {
  const { api, print, repository } = await contextOf(command);
  const path = await repository();
  await valueOf(api.DELETE("/repos/{owner}/{repo}/mirror", { params: { path } }));
  print({ mirror: false }, () => `${terminalSafe(`${path.owner}/${path.repo}`)} is an ordinary repository`);
}

async function preview(url: string, options: RemoteOptions, command: Command): Promise<void> {
  const { api, print, repository } = await contextOf(command);
  const path = await repository();
  const body = await sourceOf(url, options, undefined);
  const found = await valueOf(api.POST("/repos/{owner}/{repo}/mirror/preview", { params: { path }, body }));
  print(found, () =>
    [
      renderTable(
        ["CHANGE", "REF", "BEFORE", "AFTER"],
        found.refs.map(({ ref, change, before, after }) => [change, ref, shortId(before), shortId(after)]),
      ),
      `${found.created} created, ${found.updated} updated, ${found.deleted} deleted`,
      ...found.notes.map(terminalSafe),
    ].join("\n"),
  );
}

/** What a change of something else leaves as it is. */
function settingsOf({ refs, prune, lfs, enabled, ...mirror }: Mirror) {
  const times = omitUndefined({
    interval_minutes: mirror.interval_minutes ?? undefined,
    cron: mirror.cron ?? undefined,
    timezone: mirror.timezone ?? undefined,
  });
  return { settings: { refs, prune, lfs, enabled }, times };
}

async function sourceOf(url: string, options: RemoteOptions, before: Mirror | undefined) {
  const pruned = omitUndefined({ prune: options.prune === false ? false : undefined });
  return { url, ...pruned, ...(await remoteOf(options, before)) };
}

function fieldsOf(mirror: Mirror): [string, string][] {
  const { last_sync: last } = mirror;
  return [
    ["source", mirror.url],
    ["status", mirror.status],
    ["syncs", timesInWords(mirror)],
    ["next sync", mirror.next_sync_at ?? "none"],
    ["last sync", last === null ? "none" : `${last.status} ${last.finished_at ?? last.started_at}`],
    ["error", last?.error ?? "none"],
    ["last success", mirror.last_success_at ?? "none"],
    ["failures", String(mirror.failures)],
    ["refs", mirror.refs.join(" ")],
    ["deletes refs", mirror.prune ? "yes" : "no"],
    ["Git LFS", mirror.lfs ? "yes" : "no"],
    ["user name", mirror.username ?? "none"],
    ["public key", mirror.public_key ?? "none"],
    ["host key", mirror.host_key_fingerprint ?? "none"],
  ];
}

function shortId(id: string | null): string {
  return id === null ? "" : id.slice(0, 10);
}
