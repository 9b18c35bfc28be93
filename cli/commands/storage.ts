/** `forgeline storage` and `forgeline repo storage`: what one's own, an organization's or one repository takes. */
import { Command } from "commander";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { valueOf } from "../connection/api.ts";
import { parseRepository } from "../connection/repository.ts";
import { contextOf } from "../context.ts";
import { parseCount } from "../options/count.ts";
import { addExamples } from "../output/examples.ts";
import { renderFields } from "../output/fields.ts";
import { sizeOf } from "../output/size.ts";
import { sizesByKind, storageTable } from "../output/storage-table.ts";

export function storageCommand(): Command {
  const storage = withOrganization(
    new Command("storage").description("Show how much storage your repositories use, and your Git LFS quota"),
  ).action(use);
  storage.addCommand(
    withOrganization(
      new Command("repositories").description("List repositories by storage used, largest first"),
    )
      .option("--page <number>", "page, 100 repositories each", parseCount, 1)
      .action(repositories),
  );
  addExamples(storage, ["forgeline storage --org acme", "forgeline storage repositories --org acme"]);
  return storage;
}

export function repositoryStorageCommand(): Command {
  return new Command("storage")
    .argument("<owner/name>")
    .description("Show how much storage a repository uses")
    .action(ofRepository);
}

function withOrganization(command: Command): Command {
  return command.option("--org <org>", "for an organization you own");
}

/** What stands before the name of a command inside is the outer command's, also where both know it. */
function organizationOf(command: Command): string | undefined {
  return command.optsWithGlobals<{ org?: string }>().org;
}

async function use(_options: unknown, command: Command): Promise<void> {
  const { api, print } = await contextOf(command);
  const org = organizationOf(command);
  const found = await valueOf(
    org === undefined
      ? api.GET("/user/storage")
      : api.GET("/orgs/{org}/storage", { params: { path: { org } } }),
  );
  print(found, () => describe(found));
}

function describe(found: Schemas["OwnedStorage"]): string {
  const { limit_bytes: limit, custom, used_bytes: used } = found.lfs;
  const max = limit === null ? "no limit" : `of ${sizeOf(limit)}${custom ? ", custom" : ""}`;
  return renderFields([
    ["owner", found.owner],
    ["plan", found.plan],
    ["Git LFS", `${sizeOf(used)}, ${max}`],
    ["total", sizeOf(found.total_bytes)],
    ["repositories", sizesByKind(found.repositories)],
    ["deleted repositories", sizesByKind(found.deleted_repositories)],
    ["attachments of teams", sizeOf(found.team_attachment_bytes)],
    ["not measured yet", String(found.unmeasured)],
    ["measured since", found.measured_since ?? ""],
  ]);
}

async function repositories({ page }: { page: number }, command: Command): Promise<void> {
  const { api, print } = await contextOf(command);
  const org = organizationOf(command);
  const query = { page, per_page: 100 };
  const found = await valueOf(
    org === undefined
      ? api.GET("/user/storage/repositories", { params: { query } })
      : api.GET("/orgs/{org}/storage/repositories", { params: { path: { org }, query } }),
  );
  print(found, () => storageTable(found));
}

async function ofRepository(name: string, _options: unknown, command: Command): Promise<void> {
  const { api, print } = await contextOf(command);
  const path = parseRepository(name);
  const found = await valueOf(api.GET("/repos/{owner}/{repo}/storage", { params: { path } }));
  print(found, () =>
    renderFields([
      ["Git", `${sizeOf(found.git_bytes)}, of ${sizeOf(found.git_limit_bytes)}`],
      ["Git LFS", sizeOf(found.lfs_bytes)],
      ["logs", sizeOf(found.log_bytes)],
      ["attachments", sizeOf(found.attachment_bytes)],
      ["total", sizeOf(found.total_bytes)],
      ["measured", found.measured_at ?? "not yet"],
    ]),
  );
}
