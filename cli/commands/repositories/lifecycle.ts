/** `forgeline repo archive|unarchive|delete|restore`: each names its repository in full, so that no checkout decides. */
import { Command } from "commander";
import { valueOf } from "../../connection/api.ts";
import { parseRepository } from "../../connection/repository.ts";
import { contextOf } from "../../context.ts";

const steps = {
  archive: { description: "Make a repository read-only", said: "archived" },
  unarchive: { description: "Make an archived repository writable again", said: "unarchived" },
  restore: { description: "Restore a repository deleted in the last 7 days", said: "restored" },
} as const;

export function addLifecycleCommands(repo: Command): void {
  for (const [step, { description, said }] of Object.entries(steps))
    repo
      .command(`${step} <owner/name>`)
      .description(description)
      .action(async (fullName: string, _options: unknown, command: Command) => {
        const { api, print } = await contextOf(command);
        const params = { path: parseRepository(fullName) };
        const path = `/repos/{owner}/{repo}/${step as keyof typeof steps}` as const;
        const changed = await valueOf(api.POST(path, { params }));
        print(changed, () => `${said} ${changed.full_name}`);
      });
  repo
    .command("delete <owner/name>")
    .description("Delete a repository; it can be restored for 7 days")
    .action(async (fullName: string, _options: unknown, command: Command) => {
      const { api, print } = await contextOf(command);
      const path = parseRepository(fullName);
      await valueOf(api.DELETE("/repos/{owner}/{repo}", { params: { path } }));
      print(
        { deleted: fullName },
        () => `deleted ${fullName}\n"forgeline repo restore ${fullName}" undoes it for 7 days.`,
      );
    });
}
