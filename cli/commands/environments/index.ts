/** `forgeline environment list|show|deployments|statistics|rollback|create|protect|delete`: where jobs deploy to, and what is there. */
import { Command } from "commander";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { valueOf } from "../../connection/api.ts";
import { everyPage } from "../../connection/pages.ts";
import { UsageError } from "../../connection/settings.ts";
import { contextOf } from "../../context.ts";
import { addExamples } from "../../output/examples.ts";
import { renderList, renderTable } from "../../output/table.ts";
import { terminalSafe } from "../../output/terminal-safe.ts";
import { addChanges } from "./changes.ts";
import { protectionText, wholeNumber } from "./protection.ts";
import { statisticsCommand } from "./statistics.ts";

type Environment = Schemas["Environment"];
type Deployment = Schemas["Deployment"];

export function environmentCommand(): Command {
  const environment = new Command("environment").description(
    "Environments: what jobs deploy to, with protection and history",
  );
  environment.command("list").description("List environments, with what is deployed there now").action(list);
  environment
    .command("show <name>")
    .description("Show an environment: what is deployed there now, and its protection")
    .action(show);
  environment
    .command("deployments <name>")
    .description("List what was deployed to an environment, newest first")
    .option("--limit <n>", "how many", "30")
    .action(deployments);
  environment
    .command("rollback <name> [deployment]")
    .description(
      "Deploy again what an earlier deployment deployed; by default the last successful one before the current",
    )
    .action(rollBack);
  environment.addCommand(statisticsCommand());
  addChanges(environment);
  addExamples(environment, [
    "forgeline environment create staging",
    "forgeline environment protect production --branches main --approvers acme/release --count 2 --wait 10",
    "forgeline environment deployments production",
    "forgeline environment statistics production --days 90",
    "forgeline environment rollback production",
    "forgeline secret set DEPLOY_KEY --environment production < deploy.key",
  ]);
  return environment;
}

const unconfirmed = "made by a job, not confirmed";

/** What keeps secrets from it, before what protects it. */
const stateOf = ({ confirmed_at: confirmed, protection }: Environment) =>
  confirmed === null ? unconfirmed : protectionText(protection);

const currentOf = ({ current }: Environment) =>
  current ? [`#${current.pipeline.number}`, current.sha.slice(0, 8), current.at] : ["", "", ""];

async function list(_options: object, command: Command): Promise<void> {
  const { api, print, repository } = await contextOf(command);
  const path = await repository();
  const found = await everyPage((query) =>
    api.GET("/repos/{owner}/{repo}/environments", { params: { path, query } }),
  );
  const header = ["NAME", "RUN", "COMMIT", "DEPLOYED", "PROTECTION"];
  print(found, () =>
    renderList(
      "environments",
      header,
      found.map((each) => [each.name, ...currentOf(each), stateOf(each)]),
    ),
  );
}

async function show(name: string, _options: object, command: Command): Promise<void> {
  const { api, print, repository } = await contextOf(command);
  const path = { ...(await repository()), name };
  const found = await valueOf(api.GET("/repos/{owner}/{repo}/environments/{name}", { params: { path } }));
  print(found, () => shown(found));
}

function shown(found: Environment): string {
  const { current, protection } = found;
  const rows = [
    ["name", found.name],
    [
      "deployed",
      current ? `run #${current.pipeline.number}, commit ${current.sha}, ${current.at}` : "nothing yet",
    ],
    ...(current ? deployedRows(current) : []),
    ...(current?.environment_url ? [["address", current.environment_url]] : []),
    ["protection", protectionText(protection)],
    ...(found.confirmed_at === null
      ? [["note", `${unconfirmed}: gets no secrets that are limited to environments`]]
      : []),
    ...found.deploying.map(({ pipeline, job, sha, status }) => [
      "deploying",
      `run #${pipeline.number}, job ${job.name}, commit ${sha.slice(0, 8)}: ${status} ${pipeline.web_url}`,
    ]),
    ...found.waiting.map(({ pipeline, job, message }) => [
      "waiting",
      `run #${pipeline.number}, job ${job.name}: ${message ?? ""} ${pipeline.web_url}`,
    ]),
    ["page", found.web_url],
  ];
  return renderTable(["", ""], rows);
}

function deployedRows({ actor, approved_by: approvedBy, before }: NonNullable<Environment["current"]>) {
  const changes = before && (before.compare_url ?? `none: the same commit as run #${before.number}`);
  return [
    ["by", actor ?? ""],
    ...(approvedBy.length > 0 ? [["approved by", approvedBy.join(", ")]] : []),
    ...(changes ? [["changes", changes]] : []),
  ];
}

async function deployments(name: string, { limit }: { limit: string }, command: Command): Promise<void> {
  const { api, print, repository } = await contextOf(command);
  const path = { ...(await repository()), name };
  const query = { per_page: wholeNumber("--limit", limit) };
  const found = await valueOf(
    api.GET("/repos/{owner}/{repo}/environments/{name}/deployments", { params: { path, query } }),
  );
  const header = ["DEPLOYMENT", "STATUS", "RUN", "COMMIT", "REF", "BY", "CREATED", "NOTE"];
  print(found, () => renderList("deployments", header, found.map(rowOf)));
}

function rowOf(each: Deployment): string[] {
  const note = each.is_current ? "current" : each.rollback_to ? "rollback" : "";
  return [
    each.id,
    each.status,
    `#${each.pipeline.number}`,
    each.sha.slice(0, 8),
    each.ref.replace(/^refs\/(heads|tags)\//, ""),
    each.actor ?? "",
    each.created_at,
    note,
  ];
}

async function rollBack(
  name: string,
  deployment: string | undefined,
  _options: object,
  command: Command,
): Promise<void> {
  const { api, print, repository } = await contextOf(command);
  const path = { ...(await repository()), name };
  const read = (query: { per_page: number }) =>
    api.GET("/repos/{owner}/{repo}/environments/{name}/deployments", { params: { path, query } });
  const id = deployment ?? earlierOf(await valueOf(read({ per_page: 100 })), name);
  const run = await valueOf(
    api.POST("/repos/{owner}/{repo}/environments/{name}/deployments/{id}/rollback", {
      params: { path: { ...path, id } },
    }),
  );
  print(
    run,
    () => `run #${run.number} deploys ${run.sha.slice(0, 8)} to ${terminalSafe(name)} again: ${run.web_url}`,
  );
}

/** What was deployed before the current version; throws where there is nothing. */
function earlierOf(found: readonly Deployment[], name: string): string {
  const current = found.find((each) => each.is_current);
  const earlier = found.find(
    (each) => each.status === "success" && !each.is_current && each.sha !== current?.sha,
  );
  if (earlier) return earlier.id;
  throw new UsageError(
    `no earlier version was deployed to ${terminalSafe(name)} lately; \`environment deployments\` lists all`,
  );
}
