/** `forgeline push-mirror list|view|create|edit|pause|resume|delete`. */
import type { Command } from "commander";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { valueOf } from "../../connection/api.ts";
import { contextOf } from "../../context.ts";
import { omitUndefined } from "../../options/omit-undefined.ts";
import { renderFields } from "../../output/fields.ts";
import { shortId } from "../../output/style.ts";
import { renderList, renderTable } from "../../output/table.ts";
import { terminalSafe } from "../../output/terminal-safe.ts";
import {
  addLoginOptions,
  addTimeOptions,
  nextSyncInWords,
  remoteOf,
  timesInWords,
  timesOf,
  type RemoteOptions,
  type TimeOptions,
} from "../mirrors/settings.ts";

type PushMirror = Schemas["PushMirror"];

const one = "/repos/{owner}/{repo}/push-mirrors/{id}";

interface Options extends RemoteOptions, TimeOptions {
  url?: string;
  lfs?: boolean;
  force?: boolean;
  onPush?: boolean;
}

export function addConfigurationCommands(mirror: Command): void {
  mirror.command("list").description("List the push mirrors of the repository").action(list);
  mirror
    .command("view <id>")
    .description("Show one, how its last sync went, and what has diverged")
    .action(view);
  addOptions(mirror.command("create <url>"))
    .description("Push the repository to this address, after each push and at its times")
    .action(create);
  addOptions(mirror.command("edit <id>").option("--url <url>", "another address"))
    .option("--prune", "delete refs there that were deleted here")
    .option("--lfs", "send Git LFS objects as well")
    .option("--no-force", "leave what somebody else has changed there as it is")
    .option("--on-push", "sync after each push")
    .description("Change one; what is not given stays")
    .action(edit);
  mirror
    .command("pause <id>")
    .description("Push nothing until it is resumed")
    .action((id: string, _options, command: Command) => patch(id, { enabled: false }, command));
  mirror
    .command("resume <id>")
    .description("Push again, at once and from then on")
    .action((id: string, _options, command: Command) => patch(id, { enabled: true }, command));
  mirror.command("delete <id>").description("Push there no more; what is there stays").action(remove);
}

function addOptions(command: Command): Command {
  return addTimeOptions(
    addLoginOptions(
      command
        .option("--refs <list>", "refs to push, separated by commas (default: all branches and tags)")
        .option("--no-prune", "keep refs there that were deleted here")
        .option("--no-lfs", "leave Git LFS objects out")
        .option("--force", "overwrite what somebody else has changed there")
        .option("--no-on-push", "sync at its times only"),
    ),
  );
}

async function list(_options: unknown, command: Command): Promise<void> {
  const { api, print, repository } = await contextOf(command);
  const path = await repository();
  const query = { per_page: 100 };
  const found = await valueOf(api.GET("/repos/{owner}/{repo}/push-mirrors", { params: { path, query } }));
  print(found, () =>
    renderList(
      "push mirrors",
      ["ID", "TARGET", "STATUS", "LAST SUCCESS", "ERROR"],
      found.map((mirror) => [
        mirror.id,
        mirror.url,
        mirror.status,
        mirror.last_success_at ?? "never",
        mirror.last_sync?.error ?? "",
      ]),
    ),
  );
}

async function view(id: string, _options: unknown, command: Command): Promise<void> {
  const { api, print, repository } = await contextOf(command);
  const path = { ...(await repository()), id };
  const found = await valueOf(api.GET(one, { params: { path } }));
  print(found, () => renderMirror(found));
}

async function create(url: string, options: Options, command: Command): Promise<void> {
  const { api, print, repository } = await contextOf(command);
  const path = await repository();
  const body = { url, ...(await settingsOf(options, undefined, command)) };
  const made = await valueOf(api.POST("/repos/{owner}/{repo}/push-mirrors", { params: { path }, body }));
  print(made, () => renderMirror(made));
}

async function edit(id: string, options: Options, command: Command): Promise<void> {
  const { api, print, repository } = await contextOf(command);
  const path = { ...(await repository()), id };
  const before = await valueOf(api.GET(one, { params: { path } }));
  const body = { ...omitUndefined({ url: options.url }), ...(await settingsOf(options, before, command)) };
  const changed = await valueOf(api.PATCH(one, { params: { path }, body }));
  print(changed, () => renderMirror(changed, before));
}

async function patch(id: string, body: Schemas["PushMirrorUpdate"], command: Command): Promise<void> {
  const { api, print, repository } = await contextOf(command);
  const path = { ...(await repository()), id };
  const changed = await valueOf(api.PATCH(one, { params: { path }, body }));
  print(changed, () => renderMirror(changed));
}

async function remove(id: string, _options: unknown, command: Command): Promise<void> {
  const { api, print, repository } = await contextOf(command);
  const path = { ...(await repository()), id };
  await valueOf(api.DELETE(one, { params: { path } }));
  print({ deleted: id }, () => `${terminalSafe(id)} is deleted`);
}

/** Only what was given: options that are on by themselves count only when somebody has typed them. */
async function settingsOf(options: Options, before: PushMirror | undefined, command: Command) {
  const given = (name: "prune" | "lfs" | "force" | "onPush") =>
    command.getOptionValueSource(name) === "cli" ? options[name] : undefined;
  return {
    ...(await remoteOf(options, before)),
    ...timesOf(options, before),
    ...omitUndefined({
      prune: given("prune"),
      lfs: given("lfs"),
      force: given("force"),
      on_push: given("onPush"),
    }),
  };
}

function renderMirror(mirror: PushMirror, before?: PushMirror): string {
  const fields = renderFields(fieldsOf(mirror, before));
  const diverged = renderTable(
    ["DIVERGED", "HERE", "THERE"],
    mirror.diverged.map(({ ref, here, there }) => [
      ref,
      here === null ? "deleted" : shortId(here),
      shortId(there),
    ]),
  );
  return mirror.diverged.length === 0 ? fields : `${fields}\n\n${diverged}`;
}

function fieldsOf(mirror: PushMirror, before?: PushMirror): [string, string][] {
  const { last_sync: last } = mirror;
  const yes = (is: boolean) => (is ? "yes" : "no");
  return [
    ["id", mirror.id],
    ["target", mirror.url],
    ["status", mirror.status],
    ["syncs", `${mirror.on_push ? "after each push, and " : ""}${timesInWords(mirror)}`],
    ["next sync", nextSyncInWords(mirror, before)],
    ["last sync", last === null ? "none" : `${last.status} ${last.finished_at ?? last.started_at}`],
    ["error", last?.error ?? "none"],
    ["last success", mirror.last_success_at ?? "none"],
    ["failures", String(mirror.failures)],
    ["refs", mirror.refs.join(" ")],
    ["deletes refs", yes(mirror.prune)],
    ["overwrites", yes(mirror.force)],
    ["Git LFS", yes(mirror.lfs)],
    ["user name", mirror.username ?? "none"],
    ["public key", mirror.public_key ?? "none"],
    ["host key", mirror.host_key_fingerprint ?? "none"],
  ];
}
