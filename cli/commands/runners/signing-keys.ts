/** `forgeline runner signing-key`: the keys by which the server signs jobs, for runners that execute nothing else. */
import { Command } from "commander";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { valueOf } from "../../connection/api.ts";
import { contextOf, type CliContext } from "../../context.ts";
import { renderList } from "../../output/table.ts";

interface PlaceOption {
  forRepo?: boolean;
}

const query = { per_page: 100 };

export function signingKeyCommand(): Command {
  const group = new Command("signing-key").description(
    "Keys by which the server signs jobs, for runners that execute nothing else",
  );
  for (const command of [listCommand(), createCommand(), deleteCommand()]) group.addCommand(command);
  return group;
}

function forRepo(command: Command): Command {
  return command.option("--for-repo", "of this repository, instead of the whole instance");
}

function listCommand(): Command {
  return forRepo(new Command("list"))
    .description("List the keys with the lines that make runners trust them")
    .action(async (place: PlaceOption, command: Command) => {
      const context = await contextOf(command);
      const keys = await listKeys(context, place);
      context.print(keys, () =>
        renderList(
          "signing keys",
          ["ID", "CREATED", "TRUSTED LINE"],
          keys.map((key) => [key.id, key.created_at, key.trusted_line]),
        ),
      );
    });
}

async function listKeys(
  { api, repository }: CliContext,
  place: PlaceOption,
): Promise<Schemas["SigningKey"][]> {
  if (!place.forRepo) return valueOf(api.GET("/signing-keys", { params: { query } }));
  const path = await repository();
  return valueOf(api.GET("/repos/{owner}/{repo}/signing-keys", { params: { path, query } }));
}

function createCommand(): Command {
  return forRepo(new Command("create"))
    .description("Create a key that signs every job from now on, and print its line for runners")
    .action(async (place: PlaceOption, command: Command) => {
      const { api, print, repository } = await contextOf(command);
      const created = place.forRepo
        ? api.POST("/repos/{owner}/{repo}/signing-keys", { params: { path: await repository() } })
        : api.POST("/signing-keys");
      const key = await valueOf(created);
      print(key, () => key.trusted_line);
    });
}

function deleteCommand(): Command {
  return forRepo(new Command("delete"))
    .description("Delete a key: jobs that are queued from now on are not signed with it")
    .argument("<id>")
    .action(async (id: string, place: PlaceOption, command: Command) => {
      const { api, print, repository } = await contextOf(command);
      const deleted = place.forRepo
        ? api.DELETE("/repos/{owner}/{repo}/signing-keys/{id}", {
            params: { path: { ...(await repository()), id } },
          })
        : api.DELETE("/signing-keys/{id}", { params: { path: { id } } });
      await valueOf(deleted);
      print({ id, deleted: true }, () => `deleted ${id}`);
    });
}
