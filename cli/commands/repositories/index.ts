/** `forgeline repo`: repositories. */
import { Command } from "commander";
import { valueOf } from "../../connection/api.ts";
import { everyPage } from "../../connection/pages.ts";
import { contextOf } from "../../context.ts";
import { deployKeyCommand } from "./deploy-keys.ts";
import { maintenanceCommand } from "./maintenance.ts";
import { addWatchCommands } from "../notifications/subscriptions.ts";
import { addForkSyncCommands } from "./fork-syncs.ts";
import { addForkCommands } from "./forks.ts";
import { addLifecycleCommands } from "./lifecycle.ts";
import { addCollaboratorCommands } from "./collaborators.ts";
import { addTransferCommands } from "./repository-transfers.ts";
import { protectionCommand } from "./protections.ts";
import { dependenciesCommand } from "./dependencies.ts";
import { statsCommand } from "./statistics.ts";
import { addSettingsCommands } from "./settings.ts";
import { addTrustedAuthorCommands } from "../trusted-authors.ts";
import { repositoryStorageCommand } from "../storage.ts";
import { renderList } from "../../output/table.ts";

interface CreateOptions {
  public?: boolean;
  internal?: boolean;
  owner?: string;
  description?: string;
  license?: string;
  gitignore?: string;
  readme?: boolean;
}

export function repoCommand(): Command {
  const repo = new Command("repo").description("Repositories");
  repo
    .command("create <name>")
    .description("Create a repository")
    .option("--owner <organization>", "create it in this organization instead of your account")
    .option("--public", "readable and cloneable by everyone")
    .option("--internal", "readable by every member of the organization")
    .option("--description <text>", "description")
    .option("--license <id>", "start with this licence (SPDX identifier, such as MIT)")
    .option("--gitignore <template>", "start with this .gitignore template, such as Node")
    .option("--readme", "start with a README")
    .action(create);
  repo
    .command("list")
    .description("List your repositories, or those of an organization that you can see")
    .option("--owner <organization>", "list the repositories of this organization")
    .action(list);
  addSettingsCommands(repo);
  addForkCommands(repo);
  addForkSyncCommands(repo);
  addWatchCommands(repo);
  addLifecycleCommands(repo);
  addCollaboratorCommands(repo);
  addTrustedAuthorCommands(repo);
  addTransferCommands(repo);
  repo.addCommand(deployKeyCommand());
  repo.addCommand(maintenanceCommand());
  repo.addCommand(repositoryStorageCommand());
  repo.addCommand(protectionCommand());
  repo.addCommand(statsCommand());
  repo.addCommand(dependenciesCommand());
  return repo;
}

async function create(name: string, options: CreateOptions, command: Command): Promise<void> {
  const { api, connection, print } = await contextOf(command);
  const body = {
    name,
    visibility: visibilityOf(options),
    ...(options.owner ? { owner: options.owner } : {}),
    ...(options.description ? { description: options.description } : {}),
    ...(options.license ? { license: options.license } : {}),
    ...(options.gitignore ? { gitignore: options.gitignore } : {}),
    ...(options.readme ? { readme: true } : {}),
  };
  const created = await valueOf(api.POST("/repos", { body }));
  print(
    created,
    () =>
      `created ${created.full_name}\n\n${nextSteps(created.clone_urls.https, options)}\n${gitAdvice(connection.caFile)}`,
  );
}

async function list({ owner }: { owner?: string }, command: Command): Promise<void> {
  const { api, print } = await contextOf(command);
  const repositories = await everyPage((query) =>
    owner === undefined
      ? api.GET("/user/repos", { params: { query } })
      : api.GET("/orgs/{org}/repos", { params: { path: { org: owner }, query } }),
  );
  print(repositories, () =>
    renderList(
      "repositories",
      ["NAME", "VISIBILITY", "DESCRIPTION"],
      repositories.map((r) => [r.full_name, r.visibility, r.description]),
    ),
  );
}

function visibilityOf(options: CreateOptions): "public" | "internal" | "private" {
  if (options.public) return "public";
  return options.internal ? "internal" : "private";
}

/** A first commit on the server would be in the way of a push from elsewhere. */
function nextSteps(address: string, { license, gitignore, readme }: CreateOptions): string {
  if (license || gitignore || readme) return `  git clone ${address}`;
  return `  git remote add origin ${address}\n  git push -u origin HEAD`;
}

function gitAdvice(caFile: string | undefined): string {
  return caFile
    ? `\nGit asks for a user name (any) and a password (your token: the one of "forgeline login",\nadmin.token in .forgeline/connection.json, or one of "forgeline token create").\n"forgeline trust" makes it accept the certificate.`
    : "\nGit asks for a user name (any) and a password (your token).";
}
