/** `forgeline team repos|grant|revoke`. */
import type { Command } from "commander";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { valueOf } from "../../connection/api.ts";
import { everyPage } from "../../connection/pages.ts";
import { parseRepository } from "../../connection/repository.ts";
import { UsageError } from "../../connection/settings.ts";
import { parseTeam } from "../../connection/team.ts";
import { contextOf } from "../../context.ts";
import { renderList } from "../../output/table.ts";
import { permissionOption } from "../../options/permission.ts";

type Permission = Schemas["RepositoryLevel"];

export function addTeamRepositoryCommands(team: Command): void {
  team
    .command("repos <team>")
    .description("List a team's repositories and permissions, including inherited ones")
    .action(list);
  team
    .command("grant <team> <repo>")
    .description("Give a team access to a repository of its organization, or change its permission")
    .addOption(permissionOption().makeOptionMandatory())
    .action(grant);
  team.command("revoke <team> <repo>").description("Revoke a team's access to a repository").action(revoke);
}

/** With the repository's name alone, or with its organization before it. */
function pathOf(teamName: string, repository: string): { org: string; team: string; repo: string } {
  const { org, team } = parseTeam(teamName);
  if (!repository.includes("/")) return { org, team, repo: repository };
  const { owner, repo } = parseRepository(repository);
  if (owner.toLowerCase() !== org.toLowerCase())
    throw new UsageError(`${teamName} can be granted repositories of ${org} only`);
  return { org, team, repo };
}

async function list(name: string, _options: unknown, command: Command): Promise<void> {
  const { org, team } = parseTeam(name);
  const { api, print } = await contextOf(command);
  const grants = await everyPage((query) =>
    api.GET("/orgs/{org}/teams/{team}/repos", { params: { path: { org, team }, query } }),
  );
  const rows = grants.map((g) => [g.repository.full_name, g.permission, g.inherited_from ?? ""]);
  print(grants, () => renderList("repositories", ["REPOSITORY", "PERMISSION", "FROM"], rows));
}

async function grant(
  name: string,
  repository: string,
  options: { permission: Permission },
  command: Command,
): Promise<void> {
  const path = pathOf(name, repository);
  const { api, print } = await contextOf(command);
  const granted = await valueOf(
    api.PUT("/orgs/{org}/teams/{team}/repos/{repo}", { params: { path }, body: options }),
  );
  print(
    granted,
    () => `${granted.team.full_name} has ${granted.permission} on ${granted.repository.full_name}`,
  );
}

async function revoke(name: string, repository: string, _options: unknown, command: Command): Promise<void> {
  const path = pathOf(name, repository);
  const { api, print } = await contextOf(command);
  await valueOf(api.DELETE("/orgs/{org}/teams/{team}/repos/{repo}", { params: { path } }));
  print(
    { team: name, repository: `${path.org}/${path.repo}`, revoked: true },
    () => `${name} is granted nothing on ${path.org}/${path.repo} any more`,
  );
}
