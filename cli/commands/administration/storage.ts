/** `forgeline admin storage [owners|repositories]`: what the instance keeps. */
import { Command } from "commander";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { valueOf } from "../../connection/api.ts";
import { contextOf } from "../../context.ts";
import { parseCount } from "../../options/count.ts";
import { omitUndefined } from "../../options/omit-undefined.ts";
import { renderFields } from "../../output/fields.ts";
import { sizeOf } from "../../output/size.ts";
import { sizesByKind, storageTable } from "../../output/storage-table.ts";
import { renderList } from "../../output/table.ts";

export function storageCommand(): Command {
  const storage = new Command("storage").description("Show how much storage the instance uses").action(use);
  storage
    .command("owners")
    .description("List owners by storage used, largest first")
    .option("--page <number>", "page, 100 owners each", parseCount, 1)
    .action(owners);
  storage
    .command("repositories")
    .description("List repositories by storage used, largest first")
    .option("--owner <name>", "only repositories of this user or organization")
    .option("--page <number>", "page, 100 repositories each", parseCount, 1)
    .action(repositories);
  return storage;
}

async function use(_options: unknown, command: Command): Promise<void> {
  const { api, print } = await contextOf(command);
  const found = await valueOf(api.GET("/admin/storage"));
  print(found, () => describe(found));
}

function describe(use: Schemas["StorageUse"]): string {
  const { repositories: live, deleted_repositories: gone, database } = use;
  return renderFields([
    ["total", sizeOf(use.total_bytes)],
    ["repositories", sizesByKind(live)],
    ["deleted repositories", sizesByKind(gone)],
    ["attachments of teams", sizeOf(use.team_attachment_bytes)],
    ["database", `${sizeOf(database.bytes)}, of it audit log ${sizeOf(database.audit_bytes)}`],
    ["not measured yet", String(use.unmeasured)],
    ["measured since", use.measured_since ?? ""],
  ]);
}

async function owners({ page }: { page: number }, command: Command): Promise<void> {
  const { api, print } = await contextOf(command);
  const query = { page, per_page: 100 };
  const found = await valueOf(api.GET("/admin/storage/owners", { params: { query } }));
  const rows = found.map((one) => [
    one.owner,
    one.owner_type,
    String(one.repositories),
    sizeOf(one.git_bytes),
    sizeOf(one.lfs_bytes),
    sizeOf(one.log_bytes),
    sizeOf(one.attachment_bytes),
    sizeOf(one.total_bytes),
  ]);
  print(found, () =>
    renderList(
      "owners",
      ["OWNER", "TYPE", "REPOSITORIES", "GIT", "LFS", "LOGS", "ATTACHMENTS", "TOTAL"],
      rows,
    ),
  );
}

async function repositories(options: { owner?: string; page: number }, command: Command): Promise<void> {
  const { api, print } = await contextOf(command);
  const query = { page: options.page, per_page: 100, ...omitUndefined({ owner: options.owner }) };
  const found = await valueOf(api.GET("/admin/storage/repositories", { params: { query } }));
  print(found, () => storageTable(found));
}
