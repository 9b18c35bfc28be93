/** `forgeline issue transfer`. */
import type { Command } from "commander";
import { valueOf } from "../../connection/api.ts";
import { contextOf } from "../../context.ts";
import { terminalSafe } from "../../output/terminal-safe.ts";
import { one, parseNumber } from "./show.ts";

export function addTransferCommand(issue: Command): void {
  issue
    .command("transfer <number> <repository>")
    .description("Move an issue to another repository (OWNER/NAME), where you have Write")
    .action(transfer);
}

async function transfer(text: string, target: string, _options: object, command: Command): Promise<void> {
  const { api, print, repository } = await contextOf(command);
  const path = { ...(await repository()), number: parseNumber(text) };
  const body = { repository: target };
  const moved = await valueOf(api.POST(`${one}/transfer`, { params: { path }, body }));
  print(moved, () => terminalSafe(`moved #${path.number} to ${target}#${moved.number}: ${moved.web_url}`));
}
