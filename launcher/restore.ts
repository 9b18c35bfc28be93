/** `npm run restore -- BACKUP`, `forgeline admin restore BACKUP`: restores a backup into an empty home. */
import { join, resolve } from "node:path";
import { createInterface } from "node:readline/promises";
import { parseArgs } from "node:util";
import { restoreBackup } from "./backup/restore.ts";
import type { WrappingSettings } from "@forgeline/keyring/wrapping-keys.ts";
import { loadLauncherConfig, type LauncherConfig } from "./config.ts";
import { createConsole } from "./console.ts";
import { listenForStop } from "./stop-request.ts";

const usage = `usage: restore [--home DIR] [--key FILE] BACKUP

  BACKUP      a directory that "backup" made
  --home DIR  an empty home for the instance (default: FORGELINE_HOME, or .forgeline)
  --key FILE  the key file of the instance that was backed up (its data/instance.key); asked for on a
              terminal. Not needed if FORGELINE_KEY or FORGELINE_KEY_PROGRAM is set`;

const console = createConsole();
try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      home: { type: "string" },
      key: { type: "string" },
      help: { type: "boolean", short: "h" },
    },
  });
  const [backup] = positionals;
  if (values.help || backup === undefined || positionals.length > 1) {
    console.raw(`${usage}\n`);
    process.exitCode = values.help ? 0 : 2;
  } else await restore(backup, values);
} catch (error) {
  console.problem("failed", (error as Error).message);
  process.exitCode = 1;
}

async function restore(
  backup: string,
  values: { home?: string | undefined; key?: string | undefined },
): Promise<void> {
  const config = loadLauncherConfig();
  const home = values.home === undefined ? config.home : resolve(values.home);
  const wrapping = await wrappingOf({ ...config, home }, values.key);
  const { signal } = listenForStop();
  const manifest = await restoreBackup({ backup: resolve(backup), home, wrapping, signal });
  console.ready("restore", `done: ${home} has the state of ${manifest.database_at}`);
  console.say(
    "restore",
    `"npm start" with FORGELINE_HOME=${home} starts it, and reports what it had to repair`,
  );
}

/** As the server finds them. Asks for the file if nothing else is set. */
async function wrappingOf(
  { inherited, home }: LauncherConfig,
  named: string | undefined,
): Promise<WrappingSettings> {
  const environment = inherited["FORGELINE_KEY"];
  const program = inherited["FORGELINE_KEY_PROGRAM"];
  const isSet = environment !== undefined || program !== undefined;
  // A home that is restored into has no key file yet.
  const file = named ?? (isSet ? join(home, "data", "instance.key") : await askForKey());
  return { environment, program, file: resolve(file) };
}

async function askForKey(): Promise<string> {
  if (!process.stdin.isTTY)
    throw new Error("name the key file of the instance that was backed up: --key FILE");
  const prompt = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return await prompt.question("Key file of the instance that was backed up: ");
  } finally {
    prompt.close();
  }
}
