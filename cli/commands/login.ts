/** `forgeline login`: checks a token and keeps it for this user, mode 0600. */
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { Command } from "commander";
import { apiFor, valueOf } from "../connection/api.ts";
import { readSecret } from "../connection/read-secret.ts";
import { keepLogin, UsageError } from "../connection/settings.ts";
import type { GlobalFlags } from "../context.ts";

export function loginCommand(): Command {
  return new Command("login")
    .description(
      "Sign in with an access token; it is read from --token, from a prompt, or from standard input",
    )
    .action(async (_options: unknown, command: Command) => {
      const flags = command.optsWithGlobals<GlobalFlags>();
      if (!flags.url) throw new UsageError("which server? Use --url https://HOST");
      const url = flags.url.replace(/\/+$/, "");
      if (!url.startsWith("https://")) throw new UsageError("the address must begin with https://");
      const token = (flags.token ?? (await readSecret("Access token"))).trim();
      if (token === "") throw new UsageError("no token was given");
      const caFile = flags.caFile === undefined ? undefined : resolve(flags.caFile);
      const ca = caFile === undefined ? undefined : await readFile(caFile, "utf8");
      const user = await valueOf(apiFor({ url, token, ca, caFile }).GET("/user"));
      const file = await keepLogin({ url, token, caFile });
      process.stdout.write(`signed in to ${url} as ${user.username}; kept in ${file}\n`);
    });
}
