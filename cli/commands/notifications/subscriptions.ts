/** `forgeline repo watch|unwatch|mute`, and `subscribe` and `mute` of issues and merge requests: what you are told of. */
import type { Command } from "commander";
import { subscribableKinds } from "@forgeline/client/generated/choices.ts";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { valueOf } from "../../connection/api.ts";
import { UsageError } from "../../connection/settings.ts";
import { contextOf } from "../../context.ts";
import { terminalSafe } from "../../output/terminal-safe.ts";

type Update = Schemas["RepositorySubscriptionUpdate"];
type Kind = (typeof subscribableKinds)[number];

export function addWatchCommands(repo: Command): void {
  repo
    .command("watch")
    .description("Be told of everything that happens in the repository")
    .option("--only <kinds>", `only of these: ${subscribableKinds.join(", ")}`)
    .action(({ only }: { only?: string }, command: Command) =>
      put(
        only === undefined ? { level: "watching" } : { level: "custom", events: kindsOf(only) },
        only === undefined ? "watching" : `watching ${only} of`,
        command,
      ),
    );
  repo
    .command("unwatch")
    .description("Be told only of what involves you")
    .action((_options: object, command: Command) =>
      put({ level: "participating" }, "told of what involves you in", command),
    );
  repo
    .command("mute")
    .description("Be told of nothing that happens in the repository")
    .action((_options: object, command: Command) => put({ level: "muted" }, "muted", command));
}

async function put(body: Update, done: string, command: Command): Promise<void> {
  const { api, print, repository } = await contextOf(command);
  const path = await repository();
  const now = await valueOf(api.PUT("/repos/{owner}/{repo}/subscription", { params: { path }, body }));
  print(now, () => terminalSafe(`${done} ${path.owner}/${path.repo}`));
}

function kindsOf(text: string): Kind[] {
  return text.split(",").map((name) => {
    const kind = subscribableKinds.find((each) => each === name.trim());
    if (!kind) throw new UsageError(`--only takes ${subscribableKinds.join(" and ")}, separated by commas`);
    return kind;
  });
}

export interface SubscribedKind {
  /** Before the number. */
  mark: "#" | "!";
  address: "/repos/{owner}/{repo}/issues/{number}" | "/repos/{owner}/{repo}/merge-requests/{number}";
  parseNumber(text: string): number;
}

export function addItemSubscriptionCommands(parent: Command, kind: SubscribedKind): void {
  parent
    .command("subscribe <number>")
    .description("Be told of what happens to it")
    .action((text: string, _options: object, command: Command) => subscribe(text, kind, command));
  parent
    .command("mute <number>")
    .description("Be told of it only when somebody names or assigns you")
    .action((text: string, _options: object, command: Command) => mute(text, kind, command));
}

async function subscribe(text: string, { address, mark, parseNumber }: SubscribedKind, command: Command) {
  const { api, print, repository } = await contextOf(command);
  const path = { ...(await repository()), number: parseNumber(text) };
  const now = await valueOf(api.PUT(`${address}/subscription`, { params: { path } }));
  print(now, () => `subscribed to ${mark}${path.number}`);
}

async function mute(text: string, { address, mark, parseNumber }: SubscribedKind, command: Command) {
  const { api, print, repository } = await contextOf(command);
  const path = { ...(await repository()), number: parseNumber(text) };
  await valueOf(api.DELETE(`${address}/subscription`, { params: { path } }));
  print({ muted: path.number }, () => `muted ${mark}${path.number}`);
}
