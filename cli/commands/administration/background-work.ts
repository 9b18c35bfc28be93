/** `forgeline admin work`: what Temporal does in the background, and what can be done about it. */
import { Command, Option } from "commander";
import { workKinds, workStates } from "@forgeline/client/generated/choices.ts";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { valueOf } from "../../connection/api.ts";
import { contextOf } from "../../context.ts";
import { omitUndefined } from "../../options/omit-undefined.ts";
import { renderFields } from "../../output/fields.ts";
import { renderList } from "../../output/table.ts";

type Work = Schemas["Work"];

interface ListOptions {
  kind?: (typeof workKinds)[number];
  state?: (typeof workStates)[number];
  cursor?: string;
}

export function workCommand(): Command {
  const work = new Command("work").description("Background work in Temporal");
  work
    .command("list", { isDefault: true })
    .description("List running work, then finished work, newest first; 100 per page")
    .addOption(new Option("--kind <kind>", "only this kind of work").choices(workKinds))
    .addOption(new Option("--state <state>", "only work in this state").choices(workStates))
    .option("--cursor <cursor>", "cursor of the next page, as printed by the previous one")
    .action(list);
  work.command("workers").description("Show the workers and what is waiting for them").action(workers);
  work
    .command("show <id>")
    .description("Show a piece of work: what it waits for, or why it failed")
    .option("--execution <uuid>", "an earlier execution with the same id")
    .action(show);
  work
    .command("cancel <id>")
    .description("Cancel a piece of work, together with its run")
    .option("--force", "do not wait for cleanup; a run without a workflow ends as error")
    .action(cancel);
  work
    .command("retry <id>")
    .description("Retry a failing step now, or resume work that ended unsuccessfully")
    .action(retry);
  return work;
}

async function list(options: ListOptions, command: Command): Promise<void> {
  const { api, print } = await contextOf(command);
  const query = { per_page: 100, ...omitUndefined({ ...options }) };
  const page = await valueOf(api.GET("/admin/work", { params: { query } }));
  const rows = page.work.map((one) => [
    one.id,
    one.kind,
    one.superseded ? `${one.state}, tried again` : one.state,
    aboutOf(one),
    one.started_at,
    one.ended_at ?? one.waiting_for.map(stepOf).join("; "),
  ]);
  const table = () =>
    renderList("background work", ["ID", "KIND", "STATE", "ABOUT", "STARTED", "ENDED OR WAITS FOR"], rows);
  print(page, () => (page.next_cursor === null ? table() : `${table()}\nmore: --cursor ${page.next_cursor}`));
}

function aboutOf({ subject }: Work): string {
  if (!subject) return "";
  const name = subject.repository ?? subject.organization ?? "";
  return subject.pipeline_number === null ? name : `${name}#${subject.pipeline_number}`;
}

function stepOf(step: Schemas["WorkStep"]): string {
  const attempt = step.attempt > 1 ? `, attempt ${step.attempt}` : "";
  const next = step.next_attempt_at === null ? "" : ` at ${step.next_attempt_at}`;
  const about = step.repository === null ? "" : ` of ${step.repository}`;
  return `${step.name}${about}: ${step.state.replaceAll("_", " ")}${next}${attempt}`;
}

function describe(work: Schemas["WorkDetail"]): string {
  const failures = [...work.failure, ...work.waiting_for.flatMap(({ failure }) => failure)];
  return renderFields([
    ["id", work.id],
    ["execution", work.execution],
    ["kind", work.kind],
    ["state", work.superseded ? `${work.state}, tried again since` : work.state],
    ["about", aboutOf(work)],
    ["started", work.started_at],
    ["ended", work.ended_at ?? ""],
    ...work.waiting_for.map((step) => ["waits for", stepOf(step)] as const),
    ...failures.map(({ type, message }) => ["failure", `${type}: ${message}`] as const),
    ["retry", work.may_retry ?? "no"],
    ["cancel", cancelOf(work)],
  ]);
}

function cancelOf({ may_cancel: may, may_end: mayEnd }: Schemas["WorkDetail"]): string {
  if (may) return "yes";
  return mayEnd ? "with --force" : "no";
}

async function workers(_options: unknown, command: Command): Promise<void> {
  const { api, print } = await contextOf(command);
  const found = await valueOf(api.GET("/admin/work/overview"));
  const waiting = ({ tasks, oldest_seconds: age }: Schemas["WorkOverview"]["steps"]) =>
    tasks === 0 ? "0" : `${tasks}, the oldest for ${Math.round(age)} s`;
  print(found, () =>
    renderFields([
      ["task queue", found.task_queue],
      ...found.workers.map((one) => ["worker", `${one.name}, last seen ${one.last_seen_at}`] as const),
      ...(found.workers.length === 0 ? [["worker", "none"] as const] : []),
      ["decisions that wait", waiting(found.decisions)],
      ["steps that wait", waiting(found.steps)],
      ["to be handed over", `${found.handover.waiting}, refused ${found.handover.refused}`],
      ...found.counts.map(({ kind, state, count }) => [kind, `${state} ${count}`] as const),
    ]),
  );
}

async function show(id: string, options: { execution?: string }, command: Command): Promise<void> {
  const { api, print } = await contextOf(command);
  const params = { path: { id }, query: omitUndefined({ execution: options.execution }) };
  const work = await valueOf(api.GET("/admin/work/{id}", { params }), `no background work has the id ${id}`);
  print(work, () => describe(work));
}

async function cancel(id: string, { force = false }: { force?: boolean }, command: Command): Promise<void> {
  const { api, print } = await contextOf(command);
  const answer = api.POST("/admin/work/{id}/cancel", { params: { path: { id } }, body: { force } });
  const work = await valueOf(answer, `no background work has the id ${id}`);
  print(work, () => `${force ? "ended" : "asked to end"}: ${id}`);
}

async function retry(id: string, _options: unknown, command: Command): Promise<void> {
  const { api, print } = await contextOf(command);
  const answer = api.POST("/admin/work/{id}/retry", { params: { path: { id } } });
  const work = await valueOf(answer, `no background work has the id ${id}`);
  print(work, () => `tried again: ${id}`);
}
