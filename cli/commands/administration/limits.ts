/** `forgeline admin limits`: rate limits of one account that differ from the instance's. */
import { Command } from "commander";
import { valueOf } from "../../connection/api.ts";
import { UsageError } from "../../connection/settings.ts";
import { contextOf } from "../../context.ts";
import { limitsTable } from "../../output/limits.ts";

interface LimitOptions {
  organization?: boolean;
  set?: string[];
  clear?: boolean;
}

export function limitsCommand(): Command {
  return new Command("limits")
    .argument("<name>")
    .description(
      "Rate limits of a user, or those that an organization gives; with --set or --clear, new ones",
    )
    .option("--organization", "the name is an organization's")
    .option("--set <category=number...>", "replace the custom limits, for example core=20000 git=5000")
    .option("--clear", "remove the custom limits")
    .action(async (name: string, options: LimitOptions, command: Command) => {
      const { api, print } = await contextOf(command);
      const wanted = options.clear ? {} : options.set && parseLimits(options.set);
      const user = { params: { path: { username: name } } };
      const org = { params: { path: { org: name } } };
      const answer = options.organization
        ? wanted
          ? api.PUT("/admin/organizations/{org}/limits", { ...org, body: wanted })
          : api.GET("/admin/organizations/{org}/limits", org)
        : wanted
          ? api.PUT("/admin/users/{username}/limits", { ...user, body: wanted })
          : api.GET("/admin/users/{username}/limits", user);
      const { limits } = await valueOf(answer);
      print(limits, () => limitsTable(limits));
    });
}

function parseLimits(given: readonly string[]): Record<string, number> {
  return Object.fromEntries(
    given.map((text) => {
      const [, category, number] = /^([a-z]+)=([0-9]+)$/.exec(text) ?? [];
      if (category === undefined) throw new UsageError(`"${text}" is not of the form CATEGORY=NUMBER`);
      return [category, Number(number)];
    }),
  );
}
