/** `forgeline issue react` and `mr react`: adds one's reaction, or takes it back. */
import { Argument, type Command } from "commander";
import { reactionNames } from "@forgeline/client/generated/choices.ts";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { valueOf } from "../../connection/api.ts";
import { contextOf } from "../../context.ts";
import type { SubscribedKind } from "../notifications/subscriptions.ts";

type Name = Schemas["Reaction"]["name"];

export function addReactCommand(parent: Command, { mark, address, parseNumber }: SubscribedKind): void {
  parent
    .command("react <number>")
    .description("React with one sign, or take it back; -1 comes after --")
    .addArgument(new Argument("<name>", "which").choices(reactionNames))
    .option("--remove", "take it back")
    .action(async (text: string, name: Name, { remove = false }: { remove?: boolean }, command: Command) => {
      const { api, print, repository } = await contextOf(command);
      const path = { ...(await repository()), number: parseNumber(text) };
      if (remove) {
        const taken = { ...path, reaction: name };
        await valueOf(api.DELETE(`${address}/reactions/{reaction}`, { params: { path: taken } }));
        return print({ removed: name }, () => `took back ${name} from ${mark}${path.number}`);
      }
      const now = await valueOf(api.POST(`${address}/reactions`, { params: { path }, body: { name } }));
      print(now, () => `reacted with ${name} to ${mark}${path.number}`);
    });
}

/** For the fields of what was reacted to: none where nobody has. */
export function reactionFields(reactions: Schemas["Reactions"]): (readonly [string, string])[] {
  const given = reactionNames.filter((name) => reactions[name] > 0);
  if (given.length === 0) return [];
  return [["reactions", given.map((name) => `${name} ${reactions[name]}`).join(", ")]];
}
