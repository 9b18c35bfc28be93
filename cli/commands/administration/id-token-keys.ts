/** `forgeline admin id-token-keys|rotate-id-token-key`: the keys that sign identity tokens of jobs. */
import type { Command } from "commander";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { valueOf } from "../../connection/api.ts";
import { contextOf } from "../../context.ts";
import { renderTable } from "../../output/table.ts";

export function addIdTokenKeyCommands(admin: Command): void {
  admin
    .command("id-token-keys")
    .description("Show the keys that sign identity tokens of jobs")
    .action(async (_options: object, command: Command) => {
      const { api, print } = await contextOf(command);
      const shown = await valueOf(api.GET("/admin/id-token-keys"));
      print(shown, () => renderKeys(shown.keys));
    });
  admin
    .command("rotate-id-token-key")
    .description("Replace the key that signs identity tokens of jobs")
    .option("--withdraw-earlier", "stop publishing earlier keys at once: somebody may have seen one")
    .action(async ({ withdrawEarlier = false }: { withdrawEarlier?: boolean }, command: Command) => {
      const { api, print } = await contextOf(command);
      const shown = await valueOf(
        api.POST("/admin/id-token-keys/rotate", { body: { withdraw_earlier: withdrawEarlier } }),
      );
      print(shown, () => renderKeys(shown.keys));
    });
}

function renderKeys(keys: Schemas["IdTokenKeys"]["keys"]): string {
  return renderTable(
    ["KEY", "STATE", "CREATED", "SIGNS FROM", "WITHDRAWN"],
    keys.map((key) => [key.id, key.state, key.created_at, key.current_from, key.withdrawn_at ?? ""]),
  );
}
