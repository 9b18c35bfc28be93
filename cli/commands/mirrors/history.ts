/** `forgeline mirror sync|history`. */
import type { Command } from "commander";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { valueOf } from "../../connection/api.ts";
import type { CliContext } from "../../context.ts";
import { contextOf } from "../../context.ts";
import { parseCount } from "../../options/count.ts";
import { renderSyncs, sentenceOf, waitForSync } from "./syncs.ts";

type Sync = Schemas["MirrorSync"];

const perPage = 30;

export function addHistoryCommands(mirror: Command): void {
  mirror
    .command("sync")
    .description("Sync now")
    .option("--wait", "wait for its end; exit status 1 if it fails")
    .action(sync);
  mirror
    .command("history")
    .description(`List syncs, newest first, ${perPage} on a page`)
    .option("--page <number>", "page", parseCount, 1)
    .action(history);
}

async function sync({ wait }: { wait?: boolean }, command: Command): Promise<void> {
  const context = await contextOf(command);
  const { api, print } = context;
  const path = await context.repository();
  const before = await newest(context, path);
  const asked = await valueOf(api.POST("/repos/{owner}/{repo}/mirror/sync", { params: { path } }));
  if (!wait) return print(asked, () => "a sync was requested");
  const ended = await waitForSync(() => newest(context, path), before);
  print(ended, () => sentenceOf(ended));
  if (ended.status !== "succeeded") process.exitCode = 1;
}

async function newest({ api }: CliContext, path: { owner: string; repo: string }): Promise<Sync | undefined> {
  const query = { per_page: 1 };
  const [sync] = await valueOf(api.GET("/repos/{owner}/{repo}/mirror/history", { params: { path, query } }));
  return sync;
}

async function history({ page }: { page: number }, command: Command): Promise<void> {
  const { api, print, repository } = await contextOf(command);
  const path = await repository();
  const query = { page, per_page: perPage };
  const syncs = await valueOf(api.GET("/repos/{owner}/{repo}/mirror/history", { params: { path, query } }));
  print(syncs, () => renderSyncs(syncs, "RECEIVED"));
}
