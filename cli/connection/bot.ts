/** Bots as people write them: `ORG/BOT`. */
import { UsageError } from "./settings.ts";

export function parseBot(text: string): { org: string; bot: string } {
  const [org, bot, ...rest] = text.split("/");
  if (!org || !bot || rest.length > 0) throw new UsageError(`"${text}" is not of the form ORG/BOT`);
  return { org, bot };
}
