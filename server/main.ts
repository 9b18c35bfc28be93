/**
 * The server's program: `serve`, `migrate`, `repair`, `create-admin`, `register-runner`, `newest-run`. Each prints one line of JSON on standard output when it is
 * ready or done; everything else there is log. Commands load only what they need.
 */
import { loadConfig, type Config } from "./config/config.ts";

const commands: Record<string, () => Promise<(config: Config, args: string[]) => Promise<void>>> = {
  serve: async () => (await import("./commands/serve.ts")).serve,
  migrate: async () => (await import("./commands/migrate.ts")).runMigrations,
  repair: async () => (await import("./commands/repair.ts")).repair,
  "register-runner": async () => (await import("./commands/register-runner.ts")).registerRunner,
  "newest-run": async () => (await import("./commands/newest-run.ts")).newestRun,
  "create-admin": async () => (await import("./commands/create-admin.ts")).createAdmin,
};

const [name = "", ...args] = process.argv.slice(2);
const load = commands[name];
if (!load) {
  process.stderr.write(`usage: server/main.ts ${Object.keys(commands).join(" | ")}\n`);
  process.exitCode = 2;
} else {
  try {
    const config = loadConfig();
    const command = await load();
    await command(config, args);
  } catch (error) {
    process.stderr.write(`${name}: ${(error as Error).message}\n`);
    // What a failed start has opened already must not keep the process alive.
    process.exit(1);
  }
}
