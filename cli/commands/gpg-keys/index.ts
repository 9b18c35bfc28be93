/** `forgeline gpg-key list|add|remove`: one's own OpenPGP keys, which verify signatures of commits. */
import { Command } from "commander";
import { valueOf } from "../../connection/api.ts";
import { everyPage } from "../../connection/pages.ts";
import { contextOf } from "../../context.ts";
import { readText } from "../../options/read-file.ts";
import { renderList } from "../../output/table.ts";

export function gpgKeyCommand(): Command {
  const key = new Command("gpg-key").description("OpenPGP keys with which you sign commits");
  key.command("list").description("List your keys").action(list);
  key
    .command("add <file>")
    .description("Add the public key in a file that gpg --armor --export has written")
    .action(add);
  key
    .command("remove <id>")
    .description("Remove a key; commits that it has signed are not verified any more")
    .action(remove);
  return key;
}

async function list(_options: unknown, command: Command): Promise<void> {
  const { api, print } = await contextOf(command);
  const keys = await everyPage((query) => api.GET("/user/gpg-keys", { params: { query } }));
  const row = (key: (typeof keys)[number]) => [
    key.id,
    key.fingerprint,
    key.emails.join(","),
    key.revoked ? "revoked" : (key.expires_at ?? "never"),
  ];
  print(keys, () => renderList("OpenPGP keys", ["ID", "FINGERPRINT", "EMAILS", "EXPIRES"], keys.map(row)));
}

async function add(file: string, _options: unknown, command: Command): Promise<void> {
  const key = await readText(file);
  const { api, print } = await contextOf(command);
  const added = await valueOf(api.POST("/user/gpg-keys", { body: { key } }));
  print(added, () => `added ${added.id}: ${added.fingerprint}`);
}

async function remove(id: string, _options: unknown, command: Command): Promise<void> {
  const { api, print } = await contextOf(command);
  await valueOf(api.DELETE("/user/gpg-keys/{id}", { params: { path: { id } } }));
  print({ removed: id }, () => `removed ${id}`);
}
