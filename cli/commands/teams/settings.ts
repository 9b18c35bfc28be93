/** `forgeline team list|view|create|edit|delete`. */
import { Option, type Command } from "commander";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { valueOf } from "../../connection/api.ts";
import { everyPage } from "../../connection/pages.ts";
import { UsageError } from "../../connection/settings.ts";
import { parseTeam } from "../../connection/team.ts";
import { contextOf } from "../../context.ts";
import { requireChanges, omitUndefined } from "../../options/omit-undefined.ts";
import { renderFields } from "../../output/fields.ts";
import { renderList } from "../../output/table.ts";

interface CreateOptions {
  description?: string;
  secret?: boolean;
}

interface EditOptions {
  name?: string;
  description?: string;
  visibility?: "visible" | "secret";
  parent?: string;
  top?: boolean;
}

export function addTeamSettingsCommands(team: Command): void {
  team.command("list <org>").description("List the teams you can see, each after its parent").action(list);
  team.command("view <team>").description("Show a team").action(view);
  team
    .command("create <team>")
    .description("Create a team; ORG/PARENT/CHILD nests it in ORG/PARENT")
    .option("--description <text>", "description")
    .option("--secret", "visible only to its members and to owners")
    .action(create);
  team
    .command("edit <team>")
    .description("Change, rename or move a team together with its nested teams")
    .option("--name <name>", "new name")
    .option("--description <text>", "description")
    .addOption(new Option("--visibility <who>", "who can see it").choices(["visible", "secret"]))
    .addOption(new Option("--parent <team>", "move it under this team, ORG/PARENT").conflicts("top"))
    .option("--top", "move it to the top level")
    .action(edit);
  team.command("delete <team>").description("Delete a team and its nested teams").action(remove);
}

async function list(org: string, _options: unknown, command: Command): Promise<void> {
  const { api, print } = await contextOf(command);
  const teams = await everyPage((query) =>
    api.GET("/orgs/{org}/teams", { params: { path: { org }, query } }),
  );
  const rows = teams.map((t) => [t.full_name, t.visibility, t.description]);
  print(teams, () => renderList("teams", ["TEAM", "VISIBILITY", "DESCRIPTION"], rows));
}

async function view(name: string, _options: unknown, command: Command): Promise<void> {
  const { org, team } = parseTeam(name);
  const { api, print } = await contextOf(command);
  const found = await valueOf(api.GET("/orgs/{org}/teams/{team}", { params: { path: { org, team } } }));
  print(found, () => describe(found));
}

function describe(team: Schemas["Team"]): string {
  return renderFields([
    ["team", team.full_name],
    ["description", team.description],
    ["visibility", team.visibility],
    ["created", team.created_at],
    ["address", team.web_url],
  ]);
}

async function create(name: string, options: CreateOptions, command: Command): Promise<void> {
  const wanted = parseTeam(name);
  const { api, print } = await contextOf(command);
  const body = {
    name: wanted.name,
    parent: wanted.parent,
    visibility: options.secret ? ("secret" as const) : ("visible" as const),
    ...omitUndefined({ description: options.description }),
  };
  const team = await valueOf(api.POST("/orgs/{org}/teams", { params: { path: { org: wanted.org } }, body }));
  print(team, () => `created ${team.full_name}`);
}

async function edit(text: string, options: EditOptions, command: Command): Promise<void> {
  const { org, team } = parseTeam(text);
  const { name, description, visibility } = options;
  const body = requireChanges(
    { name, description, visibility, parent: parentOf(org, options) },
    "--name, --description, --visibility, --parent or --top",
  );
  const { api, print } = await contextOf(command);
  const changed = await valueOf(
    api.PATCH("/orgs/{org}/teams/{team}", { params: { path: { org, team } }, body }),
  );
  print(changed, () => `changed ${changed.full_name}`);
}

/** Null for the top; undefined when the team shall stay where it is. */
function parentOf(org: string, { parent, top }: EditOptions): string | null | undefined {
  if (parent === undefined) return top ? null : undefined;
  const wanted = parseTeam(parent);
  if (wanted.org.toLowerCase() !== org.toLowerCase())
    throw new UsageError(`a team stays in its organization: --parent must begin with ${org}/`);
  return wanted.team;
}

async function remove(name: string, _options: unknown, command: Command): Promise<void> {
  const { org, team } = parseTeam(name);
  const { api, print } = await contextOf(command);
  await valueOf(api.DELETE("/orgs/{org}/teams/{team}", { params: { path: { org, team } } }));
  print({ full_name: name, deleted: true }, () => `deleted ${name}`);
}
