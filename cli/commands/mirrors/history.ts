/** `forgeline mirror sync|history`. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Command } from "commander";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { valueOf } from "../../connection/api.ts";
import type { CliContext } from "../../context.ts";
import { contextOf } from "../../context.ts";
import { parseCount } from "../../options/count.ts";
import { sizeOf } from "../../output/size.ts";
import { renderTable } from "../../output/table.ts";
import { terminalSafe } from "../../output/terminal-safe.ts";

type Sync = Schemas["MirrorSync"];

const lookEveryMs = 1_000;
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
  for (;;) {
    const now = await newest(context, path);
    // One that was running has been followed by the one that was asked for.
    if (now && now.id !== before?.id && now.status !== "running") {
      print(now, () => sentenceOf(now));
      if (now.status !== "succeeded") process.exitCode = 1;
      return;
    }
    await sleep(lookEveryMs);
  }
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
  print(syncs, () =>
    renderTable(
      ["STARTED", "STATUS", "CAUSE", "SECONDS", "REFS", "RECEIVED", "ERROR"],
      syncs.map((one) => [
        one.started_at,
        one.status,
        one.cause,
        one.duration_ms === null ? "" : (one.duration_ms / 1000).toFixed(1),
        String(one.changed_refs),
        sizeOf(one.bytes),
        one.error ?? "",
      ]),
    ),
  );
}

function sentenceOf(sync: Sync): string {
  const lines = sync.refs.map(({ change, ref }) => `${change} ${ref}`);
  const more = sync.changed_refs - lines.length;
  return [
    sync.status === "succeeded"
      ? `synced: ${sync.changed_refs} refs changed`
      : `${sync.status}: ${sync.error ?? ""}`,
    ...lines,
    ...(more > 0 ? [`and ${more} more`] : []),
    ...sync.notes,
  ]
    .map(terminalSafe)
    .join("\n");
}
