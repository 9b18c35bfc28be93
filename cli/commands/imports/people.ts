/** `forgeline import people|name|requests|accept|decline`: who people of another host are here. */
import type { Command } from "commander";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { valueOf } from "../../connection/api.ts";
import { everyPage } from "../../connection/pages.ts";
import { UsageError } from "../../connection/settings.ts";
import { contextOf } from "../../context.ts";
import { renderList } from "../../output/table.ts";

export function addPeopleCommands(imports: Command): void {
  imports
    .command("people <id>")
    .description("List who wrote or is assigned what came, and has no account here")
    .action(people);
  imports
    .command("name <id> <login=username>")
    .description("Say who somebody there is here; others than yourself and your members are asked first")
    .action(name);
  imports
    .command("requests")
    .description("List imported texts that you are asked about: whether they are yours")
    .action(requests);
  imports.command("accept <id>").description("Agree that imported texts are yours").action(accept);
  imports.command("decline <id>").description("Say that imported texts are not yours").action(decline);
}

async function people(id: string, _options: unknown, command: Command): Promise<void> {
  const { api, print } = await contextOf(command);
  const found = await everyPage((query) =>
    api.GET("/imports/{id}/people", { params: { path: { id }, query } }),
  );
  print(found, () =>
    renderList(
      "people",
      ["THERE", "TEXTS", "ASKED"],
      found.map(({ login, texts, asked }) => [login, String(texts), asked ?? ""]),
    ),
  );
}

async function name(id: string, pair: string, _options: unknown, command: Command): Promise<void> {
  const [login, username, ...more] = pair.split("=");
  if (!login || !username || more.length > 0)
    throw new UsageError("name takes who somebody there is here: LOGIN=NAME");
  const { api, print } = await contextOf(command);
  const body = { login, username };
  const named = await valueOf(api.POST("/imports/{id}/people", { params: { path: { id } }, body }));
  print(named, () => inWords(named));
}

const inWords = ({ login, host, username, state }: Schemas["ImportNaming"]): string =>
  state === "asked"
    ? `asked ${username}, who decides within 7 days`
    : `${login} on ${host} is ${username} here`;

async function requests(_options: unknown, command: Command): Promise<void> {
  const { api, print } = await contextOf(command);
  const found = await everyPage((query) => api.GET("/user/import-requests", { params: { query } }));
  print(found, () =>
    renderList(
      "requests",
      ["ID", "THERE", "REPOSITORY", "ASKED BY", "OPEN UNTIL"],
      found.map((each) => [
        each.id,
        `${each.login} on ${each.host}`,
        each.repository,
        each.asked_by,
        each.expires_at,
      ]),
    ),
  );
}

async function accept(id: string, _options: unknown, command: Command): Promise<void> {
  const { api, print } = await contextOf(command);
  const named = await valueOf(api.POST("/user/import-requests/{id}/accept", { params: { path: { id } } }));
  print(named, () => inWords(named));
}

async function decline(id: string, _options: unknown, command: Command): Promise<void> {
  const { api, print } = await contextOf(command);
  await valueOf(api.DELETE("/user/import-requests/{id}", { params: { path: { id } } }));
  print({ id, declined: true }, () => `declined ${id}`);
}
