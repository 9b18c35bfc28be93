/** `forgeline admin keys|rotate-key`: the keys by which the instance encrypts. */
import { setTimeout as delay } from "node:timers/promises";
import type { Command } from "commander";
import type { ForgelineClient } from "@forgeline/client/client.ts";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { valueOf } from "../../connection/api.ts";
import { contextOf } from "../../context.ts";
import { renderFields } from "../../output/fields.ts";
import { renderTable } from "../../output/table.ts";

type Rotation = Schemas["KeyRotation"];

const lookEveryMs = 1_000;

export function addKeyCommands(admin: Command): void {
  admin
    .command("keys")
    .description("Show the instance's encryption keys, and what is encrypted with each")
    .action(async (_options: object, command: Command) => {
      const { api, print } = await contextOf(command);
      const shown = await valueOf(api.GET("/admin/keys"));
      print(shown, () => renderKeys(shown.keys));
    });
  admin
    .command("rotate-key")
    .description("Replace the encryption key, and encrypt everything again with the new one")
    .option("--no-wait", "do not wait until everything is encrypted again")
    .action(async ({ wait }: { wait: boolean }, command: Command) => {
      const { api, print } = await contextOf(command);
      const begun = await valueOf(api.POST("/admin/key-rotations"));
      const rotation = wait ? await untilOver(api, begun) : begun;
      print(rotation, () => describe(rotation));
      if (rotation.state === "cancelled" || rotation.unreadable > 0) process.exitCode = 1;
    });
}

async function untilOver(api: ForgelineClient, begun: Rotation): Promise<Rotation> {
  let now = begun;
  while (now.state === "running") {
    await delay(lookEveryMs);
    now = await valueOf(api.GET("/admin/key-rotations/{id}", { params: { path: { id: begun.id } } }));
  }
  return now;
}

function renderKeys(keys: Schemas["InstanceKeys"]["keys"]): string {
  return renderTable(
    ["KEY", "STATE", "CREATED", "ENCRYPTED BY", "USED BY"],
    keys.map(({ id, state, created_at: createdAt, wrapped_by: place, encrypted }) => [
      id,
      state,
      createdAt ?? "",
      place ?? "a key that is missing",
      usesOf(encrypted),
    ]),
  );
}

/** One and several. The compiler asks for a kind that is missing here. */
const kinds: Record<keyof Rotation["encrypted"], readonly [string, string]> = {
  two_factor: ["second factor", "second factors"],
  single_sign_on: ["client secret of single sign-on", "client secrets of single sign-on"],
  mails: ["mail", "mails"],
  webhooks: ["webhook", "webhooks"],
  mirrors: ["mirror", "mirrors"],
  push_mirrors: ["push mirror", "push mirrors"],
  imports: ["import", "imports"],
  audit_streams: ["stream of an audit log", "streams of audit logs"],
  secrets: ["value of a secret", "values of secrets"],
  id_token_keys: ["key of identity tokens", "keys of identity tokens"],
  job_signing_keys: ["key that signs jobs", "keys that sign jobs"],
};

/** Every kind that the server counts, also one that this program does not know: its server may be newer. */
function usesOf(encrypted: Rotation["encrypted"]): string {
  const known: Readonly<Record<string, readonly [string, string] | undefined>> = kinds;
  const uses = Object.entries(encrypted)
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => {
      const name = known[kind]?.[count === 1 ? 0 : 1] ?? kind.replaceAll("_", " ");
      return `${count} ${name}`;
    });
  return uses.length === 0 ? "nothing" : uses.join(", ");
}

function describe({ id, state, key_id: keyId, encrypted, unreadable }: Rotation): string {
  return renderFields([
    ["rotation", id],
    ["state", state],
    ["new key", keyId ?? ""],
    ["encrypted again", usesOf(encrypted)],
    ...(unreadable > 0 ? [["unreadable", `${unreadable}, see the log of the worker`] as const] : []),
  ]);
}
