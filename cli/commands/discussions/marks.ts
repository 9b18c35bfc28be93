/** `forgeline team discussion pin|unpin|lock|unlock|delete`. */
import type { Command } from "commander";
import { valueOf, type Answer } from "../../connection/api.ts";
import { askForName } from "../../connection/ask-for-name.ts";
import { contextOf, type CliContext } from "../../context.ts";
import { terminalSafe } from "../../output/terminal-safe.ts";
import { one, pathOf } from "./show.ts";

export function addDiscussionMarks(discussion: Command): void {
  discussion
    .command("pin <team> <number>")
    .description("Show a discussion above the others")
    .action(marking("pinned", (api, params) => api.PUT(`${one}/pin`, params)));
  discussion
    .command("unpin <team> <number>")
    .description("No longer show it above the others")
    .action(marking("unpinned", (api, params) => api.DELETE(`${one}/pin`, params)));
  discussion
    .command("lock <team> <number>")
    .description("Let only those who manage the team reply")
    .action(marking("locked", (api, params) => api.PUT(`${one}/lock`, params)));
  discussion
    .command("unlock <team> <number>")
    .description("Let the team reply again")
    .action(marking("unlocked", (api, params) => api.DELETE(`${one}/lock`, params)));
  discussion
    .command("delete <team> <number>")
    .description("Delete a discussion with its replies")
    .option("-y, --yes", "without asking; needed where there is no terminal")
    .action(remove);
}

type Mark = (
  api: CliContext["api"],
  request: { params: { path: ReturnType<typeof pathOf> } },
) => Promise<Answer<unknown>>;

function marking(done: string, mark: Mark) {
  return async (team: string, number: string, _options: object, command: Command): Promise<void> => {
    const path = pathOf(team, number);
    const context = await contextOf(command);
    await valueOf(mark(context.api, { params: { path } }));
    context.print({ [done]: path.number }, () => `${done} #${path.number}`);
  };
}

async function remove(
  team: string,
  number: string,
  { yes = false }: { yes?: boolean },
  command: Command,
): Promise<void> {
  const path = pathOf(team, number);
  const { api, print } = await contextOf(command);
  if (!yes) {
    const { title } = await valueOf(api.GET(one, { params: { path } }));
    const loss = `This deletes discussion #${path.number}, ${title}, with its replies.`;
    await askForName(String(path.number), terminalSafe(loss));
  }
  await valueOf(api.DELETE(one, { params: { path } }));
  print({ deleted: path.number }, () => `deleted #${path.number}`);
}
