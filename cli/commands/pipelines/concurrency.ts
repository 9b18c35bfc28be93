/** `forgeline pipeline concurrency list|release`. */
import { Command } from "commander";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { valueOf } from "../../connection/api.ts";
import { everyPage } from "../../connection/pages.ts";
import { contextOf } from "../../context.ts";
import { renderList } from "../../output/table.ts";
import { terminalSafe } from "../../output/terminal-safe.ts";

export function concurrencyCommand(): Command {
  const concurrency = new Command("concurrency").description("Concurrency groups of runs");
  concurrency
    .command("list")
    .description("List who holds a slot of a concurrency group and who waits for one")
    .option("--org <org>", "groups that the repositories of an organization share; for its owners")
    .action(list);
  concurrency
    .command("release")
    .description("Release a slot, so that the next one in the queue gets it")
    .argument("<slot>", "id; `pipeline concurrency list` shows it")
    .option("--org <org>", "a slot of a group that repositories of the organization share; for its owners")
    .action(release);
  return concurrency;
}

async function list({ org }: { org?: string }, command: Command): Promise<void> {
  const context = await contextOf(command);
  const { api } = context;
  const path = org === undefined ? await context.repository() : null;
  const groups = await everyPage((query) =>
    path
      ? api.GET("/repos/{owner}/{repo}/concurrency", { params: { path, query } })
      : api.GET("/orgs/{org}/concurrency", { params: { path: { org: org ?? "" }, query } }),
  );
  context.print(groups, () =>
    renderList("groups", ["GROUP", "STATE", "RUN", "OF", "SINCE", "SLOT"], groups.flatMap(rowsOf)),
  );
}

/** Holders, then the queue in its order; how many more there are, if not all are told. */
function rowsOf(group: Schemas["ConcurrencyGroup"]): string[][] {
  const name = terminalSafe(group.group);
  const rows = [...group.holders, ...group.queue].map((slot) => [
    name,
    slot.superseded === null ? slot.state : "being cancelled",
    slot.pipeline ? `${terminalSafe(slot.repository ?? "")}#${slot.pipeline.number}` : "another repository",
    slot.pipeline ? terminalSafe(slot.job?.name ?? slot.stage ?? "whole run") : "",
    slot.since,
    slot.id,
  ]);
  const more = group.queue_length - group.queue.length;
  return more > 0 ? [...rows, [name, "waiting", `${more} more`, "", "", ""]] : rows;
}

async function release(slot: string, { org }: { org?: string }, command: Command): Promise<void> {
  const context = await contextOf(command);
  const { api } = context;
  if (org === undefined) {
    const path = { ...(await context.repository()), id: slot };
    await valueOf(api.DELETE("/repos/{owner}/{repo}/concurrency/{id}", { params: { path } }));
  } else {
    const path = { org, id: slot };
    await valueOf(api.DELETE("/orgs/{org}/concurrency/{id}", { params: { path } }));
  }
  context.print({ id: slot }, () => `released ${terminalSafe(slot)}`);
}
