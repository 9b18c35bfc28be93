/** `forgeline org list|view|create|edit|delete|limits`. */
import { Option, type Command } from "commander";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { valueOf } from "../../connection/api.ts";
import { everyPage } from "../../connection/pages.ts";
import { contextOf } from "../../context.ts";
import { requireChanges, omitUndefined } from "../../options/omit-undefined.ts";
import { renderFields } from "../../output/fields.ts";
import { limitsTable } from "../../output/limits.ts";
import { renderList } from "../../output/table.ts";

interface Settings {
  displayName?: string;
  description?: string;
  membersCreateRepositories?: "yes" | "no";
  sharedConcurrency?: "yes" | "no";
}

export function addSettingsCommands(org: Command): void {
  org.command("list").description("List the organizations you belong to").action(list);
  org.command("view <org>").description("Show an organization").action(view);
  withSettings(
    org.command("create <name>").description("Create an organization, with you as its owner"),
  ).action(create);
  withSettings(org.command("edit <org>").description("Change an organization's settings"))
    .addOption(
      new Option("--members-create-repositories <answer>", "whether members can create repositories").choices(
        ["yes", "no"],
      ),
    )
    .addOption(
      new Option(
        "--shared-concurrency <answer>",
        "whether pipelines can use concurrency groups that all repositories share",
      ).choices(["yes", "no"]),
    )
    .action(edit);
  org
    .command("delete <org>")
    .description("Delete an organization, which must have no repositories")
    .action(remove);
  org
    .command("limits <org>")
    .description("Show the rate limits an organization gives its members")
    .action(limitsOf);
}

function withSettings(command: Command): Command {
  return command
    .option("--display-name <text>", "display name")
    .option("--description <text>", "description");
}

async function list(_options: unknown, command: Command): Promise<void> {
  const { api, print } = await contextOf(command);
  const organizations = await everyPage((query) => api.GET("/user/orgs", { params: { query } }));
  const rows = organizations.map((o) => [o.name, o.role, o.plan, o.display_name]);
  print(organizations, () => renderList("organizations", ["NAME", "ROLE", "PLAN", "DISPLAY NAME"], rows));
}

async function view(org: string, _options: unknown, command: Command): Promise<void> {
  const { api, print } = await contextOf(command);
  const organization = await valueOf(api.GET("/orgs/{org}", { params: { path: { org } } }));
  print(organization, () => describe(organization));
}

function describe(organization: Schemas["Organization"]): string {
  return renderFields([
    ["name", organization.name],
    ["display name", organization.display_name],
    ["description", organization.description],
    ["plan", organization.plan],
    ["members create repositories", organization.members_can_create_repositories ? "yes" : "no"],
    ["shared concurrency groups", organization.shared_concurrency ? "yes" : "no"],
    ["created", organization.created_at],
    ["address", organization.web_url],
  ]);
}

async function create(name: string, options: Settings, command: Command): Promise<void> {
  const { api, print } = await contextOf(command);
  const body = {
    name,
    ...omitUndefined({ display_name: options.displayName, description: options.description }),
  };
  const organization = await valueOf(api.POST("/orgs", { body }));
  print(organization, () => `created ${organization.name}`);
}

async function edit(org: string, options: Settings, command: Command): Promise<void> {
  const body = requireChanges(
    {
      display_name: options.displayName,
      description: options.description,
      members_can_create_repositories: answerOf(options.membersCreateRepositories),
      shared_concurrency: answerOf(options.sharedConcurrency),
    },
    "--display-name, --description, --members-create-repositories or --shared-concurrency",
  );
  const { api, print } = await contextOf(command);
  const organization = await valueOf(api.PATCH("/orgs/{org}", { params: { path: { org } }, body }));
  print(organization, () => `changed ${organization.name}`);
}

function answerOf(answer: "yes" | "no" | undefined): boolean | undefined {
  return answer === undefined ? undefined : answer === "yes";
}

async function remove(org: string, _options: unknown, command: Command): Promise<void> {
  const { api, print } = await contextOf(command);
  await valueOf(api.DELETE("/orgs/{org}", { params: { path: { org } } }));
  print({ name: org, deleted: true }, () => `deleted ${org}`);
}

async function limitsOf(org: string, _options: unknown, command: Command): Promise<void> {
  const { api, print } = await contextOf(command);
  const { limits } = await valueOf(api.GET("/orgs/{org}/limits", { params: { path: { org } } }));
  print(limits, () => limitsTable(limits));
}
