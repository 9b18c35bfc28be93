/** Asks before something is lost for good: whoever means it types its name. */
import { createInterface } from "node:readline/promises";
import { UsageError } from "./settings.ts";

/** Returns once the name was typed. Throws `UsageError` otherwise, and where nobody can be asked. */
export async function askForName(name: string, loss: string): Promise<void> {
  if (!process.stdin.isTTY) throw new UsageError(`${loss} Add --yes if you mean it.`);
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  try {
    // Ctrl-C and Ctrl-D give no answer.
    const answer = await prompt.question(`${loss}\nType ${name} to go on: `).catch(() => "");
    if (answer.trim() !== name) throw new UsageError("nothing was deleted: that is not the name");
  } finally {
    prompt.close();
  }
}
