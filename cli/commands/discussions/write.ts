/** `forgeline team discussion create|edit|reply`. */
import type { Command } from "commander";
import { valueOf } from "../../connection/api.ts";
import { UsageError } from "../../connection/settings.ts";
import { contextOf } from "../../context.ts";
import { omitUndefined, requireChanges } from "../../options/omit-undefined.ts";
import { terminalSafe } from "../../output/terminal-safe.ts";
import { bodyOf, type TextFlags } from "../issues/fields.ts";
import { all, boardOf, one, pathOf } from "./show.ts";

export async function create(
  team: string,
  flags: TextFlags & { private?: boolean },
  command: Command,
): Promise<void> {
  const { title, private: isPrivate } = flags;
  if (title === undefined) throw new UsageError("give --title");
  const path = boardOf(team);
  const wanted = omitUndefined({ body: await bodyOf(flags), private: isPrivate });
  const { api, print } = await contextOf(command);
  const made = await valueOf(api.POST(all, { params: { path }, body: { title, ...wanted } }));
  print(made, () => terminalSafe(`started #${made.number}: ${made.web_url}`));
}

export async function edit(team: string, number: string, flags: TextFlags, command: Command): Promise<void> {
  const path = pathOf(team, number);
  const changes = { title: flags.title, body: await bodyOf(flags) };
  const body = requireChanges(changes, "--title, --body or --body-file");
  const { api, print } = await contextOf(command);
  const changed = await valueOf(api.PATCH(one, { params: { path }, body }));
  print(changed, () => terminalSafe(`changed #${changed.number}: ${changed.title}`));
}

export async function reply(
  team: string,
  number: string,
  flags: { body?: string; bodyFile?: string; to?: string },
  command: Command,
): Promise<void> {
  const path = pathOf(team, number);
  const body = { body: (await bodyOf(flags)) ?? "", ...omitUndefined({ reply_to: flags.to }) };
  const { api, print } = await contextOf(command);
  const made = await valueOf(api.POST(`${one}/replies`, { params: { path }, body }));
  print(made, () => terminalSafe(`replied: ${made.web_url}`));
}
