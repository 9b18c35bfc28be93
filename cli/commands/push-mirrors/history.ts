/** `forgeline push-mirror sync|history`. */
import type { Command } from "commander";
import { valueOf } from "../../connection/api.ts";
import { contextOf } from "../../context.ts";
import { parseCount } from "../../options/count.ts";
import { renderSyncs, sentenceOf, waitForSync } from "../mirrors/syncs.ts";

const address = "/repos/{owner}/{repo}/push-mirrors/{id}/history";
const perPage = 30;

export function addHistoryCommands(mirror: Command): void {
  mirror
    .command("sync <id>")
    .description("Push now")
    .option("--wait", "wait for its end; exit status 1 if it fails")
    .action(sync);
  mirror
    .command("history <id>")
    .description(`List syncs, newest first, ${perPage} on a page`)
    .option("--page <number>", "page", parseCount, 1)
    .action(history);
}

async function sync(id: string, { wait }: { wait?: boolean }, command: Command): Promise<void> {
  const { api, print, repository } = await contextOf(command);
  const path = { ...(await repository()), id };
  const newest = async () =>
    (await valueOf(api.GET(address, { params: { path, query: { per_page: 1 } } })))[0];
  const before = await newest();
  const asked = await valueOf(api.POST("/repos/{owner}/{repo}/push-mirrors/{id}/sync", { params: { path } }));
  if (!wait) return print(asked, () => "a sync was requested");
  const ended = await waitForSync(newest, before);
  print(ended, () => sentenceOf(ended));
  if (ended.status !== "succeeded") process.exitCode = 1;
}

async function history(id: string, { page }: { page: number }, command: Command): Promise<void> {
  const { api, print, repository } = await contextOf(command);
  const path = { ...(await repository()), id };
  const query = { page, per_page: perPage };
  const syncs = await valueOf(api.GET(address, { params: { path, query } }));
  print(syncs, () => renderSyncs(syncs, "SENT"));
}
