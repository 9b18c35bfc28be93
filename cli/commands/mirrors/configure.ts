/** `forgeline mirror view|set|pause|resume|remove|preview`. */
import type { Command } from "commander";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { valueOf } from "../../connection/api.ts";
import { contextOf } from "../../context.ts";
import { omitUndefined } from "../../options/omit-undefined.ts";
import { renderFields } from "../../output/fields.ts";
import { shortId } from "../../output/style.ts";
import { renderTable } from "../../output/table.ts";
import { terminalSafe } from "../../output/terminal-safe.ts";
import {
  addLoginOptions,
  addTimeOptions,
  keptTimes,
  nextSyncInWords,
  remoteOf,
  timesInWords,
  timesOf,
  type RemoteOptions,
  type TimeOptions,
} from "./settings.ts";

type Mirror = Schemas["Mirror"];
type MirrorSet = Schemas["MirrorSet"];

const address = "/repos/{owner}/{repo}/mirror";

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
  const found = await valueOf(api.GET(address, { params: { path } }));
  print(found, () => renderFields(fieldsOf(found)));
}

async function set(url: string, options: SetOptions, command: Command): Promise<void> {
  const { api, print, repository } = await contextOf(command);
  const path = await repository();
  const { data: before } = await api.GET(address, { params: { path } });
  const times = timesOf(options, before) ?? (before && keptTimes(before));
  const body: MirrorSet = {
    ...(before && keptSettings(before)),
    ...times,
    ...(await sourceOf(url, options, before)),
    ...omitUndefined({
      lfs: options.lfs === false ? false : undefined,
      replace: options.replace,
    }),
  };
  const absent = `there is no repository ${path.owner}/${path.repo}, or you may not see it`;
  const changed = await valueOf(api.PUT(address, { params: { path }, body }), absent);
  print(changed, () => renderFields(fieldsOf(changed, before)));
}

async function setEnabled(enabled: boolean, command: Command): Promise<void> {
  const { api, print, repository } = await contextOf(command);
  const path = await repository();
  const before = await valueOf(api.GET(address, { params: { path } }));
  const body = { ...keptSettings(before), ...keptTimes(before), url: before.url, enabled };
  const changed = await valueOf(api.PUT(address, { params: { path }, body }));
  print(changed, () => renderFields(fieldsOf(changed)));
}

async function remove(_options: unknown, command: Command): Promise<void> {
  const { api, print, repository } = await contextOf(command);
  const path = await repository();
  await valueOf(api.DELETE(address, { params: { path } }));
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
        found.refs.map(({ ref, change, before, after }) => [
          change,
          ref,
          shortId(before ?? ""),
          shortId(after ?? ""),
        ]),
      ),
      `${found.created} created, ${found.updated} updated, ${found.deleted} deleted`,
      ...found.notes.map(terminalSafe),
    ].join("\n"),
  );
}

/** What a change of something else leaves as it is. */
function keptSettings({ refs, prune, lfs, enabled }: Mirror) {
  return { refs, prune, lfs, enabled };
}

async function sourceOf(url: string, options: RemoteOptions, before: Mirror | undefined) {
  const pruned = omitUndefined({ prune: options.prune === false ? false : undefined });
  return { url, ...pruned, ...(await remoteOf(options, before)) };
}

function fieldsOf(mirror: Mirror, before?: Mirror): [string, string][] {
  const { last_sync: last } = mirror;
  return [
    ["source", mirror.url],
    ["status", mirror.status],
    ["syncs", timesInWords(mirror)],
    ["next sync", nextSyncInWords(mirror, before)],
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
