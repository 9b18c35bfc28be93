/**
 * `create-admin [--username NAME]`: makes an administrator (or sets the password of one) and a token with every scope, and
 * prints both as one line of JSON. The password comes from FORGELINE_ADMIN_PASSWORD or standard input, never from the
 * command line, which other users of the machine can read.
 */
import { text } from "node:stream/consumers";
import { parseArgs } from "node:util";
import { scopes } from "@forgeline/schemas/core/scopes.ts";
import type { Config } from "../config/config.ts";
import { createContainer } from "../container.ts";
import { AppError } from "../platform/app-error.ts";

export async function createAdmin(config: Config, args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { username: { type: "string", default: "admin" } } });
  const password = config.adminPassword?.reveal() ?? (await text(process.stdin)).replace(/\r?\n$/, "");
  const container = await createContainer(config, { role: "command" });
  try {
    const user = await container.accounts.users.ensureAdmin(values.username, password);
    const { token } = await container.accounts.tokens.createFor(user, {
      name: "create-admin",
      scopes,
      expiresInDays: null,
    });
    process.stdout.write(`${JSON.stringify({ id: user.id, username: user.username, token })}\n`);
  } catch (error) {
    throw describe(error);
  } finally {
    await container.close();
  }
}

function describe(error: unknown): unknown {
  if (!(error instanceof AppError) || !error.options.errors) return error;
  return new Error(error.options.errors.map((e) => `${e.field}: ${e.message}`).join(" "), { cause: error });
}
