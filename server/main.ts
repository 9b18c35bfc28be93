/**
 * The server's program: `serve`, `migrate`, `create-admin`. One line on standard output says what is ready, as JSON;
 * everything else there is log.
 */
import { loadConfig } from "./config.ts";
import { createAdmin } from "./commands/create-admin.ts";
import { runMigrations } from "./commands/migrate.ts";
import { serve } from "./commands/serve.ts";

const commands: Record<string, (config: ReturnType<typeof loadConfig>, args: string[]) => Promise<void>> = {
  serve,
  migrate: runMigrations,
  "create-admin": createAdmin,
};

const [name = "", ...args] = process.argv.slice(2);
const command = commands[name];
if (!command) {
  process.stderr.write(`usage: server/main.ts ${Object.keys(commands).join(" | ")}\n`);
  process.exitCode = 2;
} else {
  try {
    await command(loadConfig(), args);
  } catch (error) {
    process.stderr.write(`${name}: ${(error as Error).message}\n`);
    process.exitCode = 1;
  }
}
