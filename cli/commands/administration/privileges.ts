/** `forgeline admin privileged`: repositories whose jobs may be privileged. */
import { Command } from "commander";
import { valueOf } from "../../connection/api.ts";
import { everyPage } from "../../connection/pages.ts";
import { parseRepository } from "../../connection/repository.ts";
import { contextOf } from "../../context.ts";
import { renderList } from "../../output/table.ts";

const path = "/admin/privileged-repositories/{owner}/{repo}";

export function privilegedCommand(): Command {
  const privileged = new Command("privileged").description(
    "Repositories whose jobs may be privileged: root on the machine of a runner that takes such jobs",
  );
  privileged.command("list").description("List these repositories").action(list);
  privileged
    .command("allow <owner/name>")
    .description("Allow privileged jobs to a repository: whoever can push to it can have such a machine")
    .action(allow);
  privileged
    .command("refuse <owner/name>")
    .description("Refuse them again; jobs that run go on")
    .action(refuse);
  return privileged;
}

async function list(_options: unknown, command: Command): Promise<void> {
  const { api, print } = await contextOf(command);
  const found = await everyPage((query) => api.GET("/admin/privileged-repositories", { params: { query } }));
  const rows = found.map((one) => [one.full_name, one.allowed_by ?? "-", one.allowed_at]);
  print(found, () => renderList("repositories", ["REPOSITORY", "ALLOWED BY", "AT"], rows));
}

async function allow(name: string, _options: unknown, command: Command): Promise<void> {
  const { api, print } = await contextOf(command);
  const answer = api.PUT(path, { params: { path: parseRepository(name) } });
  const allowed = await valueOf(answer, `there is no repository ${name}`);
  print(allowed, () => `${allowed.full_name} may have privileged jobs`);
}

async function refuse(name: string, _options: unknown, command: Command): Promise<void> {
  const { api, print } = await contextOf(command);
  const answer = api.DELETE(path, { params: { path: parseRepository(name) } });
  await valueOf(answer, `there is no repository ${name} with privileged jobs`);
  print({ full_name: name, allowed: false }, () => `${name} may not have privileged jobs`);
}
