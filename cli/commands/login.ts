/** `forgeline login`: checks a token and keeps it for this user, mode 0600. */
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { Command } from "commander";
import type { ForgelineClient } from "@forgeline/client/client.ts";
import { apiFor, ApiError, valueOf } from "../connection/api.ts";
import { gitLooksElsewhere } from "../connection/git-authority.ts";
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
      const username = await checkToken(apiFor({ url, token, ca, caFile }));
      const file = await keepLogin({ url, token, caFile });
      const as = username === undefined ? "" : ` as ${username}`;
      process.stdout.write(`signed in to ${url}${as}; kept in ${file}\n`);
      const git = caFile === undefined ? null : gitLooksElsewhere(caFile);
      if (git !== null) process.stderr.write(`git ${git}\n`);
    });
}

/**
 * Throws `ApiError` when the token is not valid. Resolves with its user's name, or undefined where that user has no requests left:
 * a token can be kept all the same, and the answer about limits, which costs nothing, tells that it is valid.
 */
async function checkToken(api: ForgelineClient): Promise<string | undefined> {
  try {
    return (await valueOf(api.GET("/user"))).username;
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 429) throw error;
    await valueOf(api.GET("/rate_limit"));
    return undefined;
  }
}
