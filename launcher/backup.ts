/** `npm run backup -- PLACE`, `forgeline admin backup PLACE`: backs up the running instance of this home. */
import { setPriority } from "node:os";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { createBackup } from "./backup/create.ts";
import { loadLauncherConfig } from "./config.ts";
import { createConsole } from "./console.ts";
import { run } from "./run.ts";
import { listenForStop } from "./stop-request.ts";

const usage = `usage: backup [--home DIR] [--previous BACKUP] [--rate MIB] PLACE

  PLACE              a directory that is not there yet, outside the home
  --home DIR         home of the instance (default: FORGELINE_HOME, or .forgeline)
  --previous BACKUP  an older backup on the same file system: unchanged files are shared with it
  --rate MIB         most MiB a second that are copied (default 100; 0 for as fast as it goes)`;

const console = createConsole();
try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      home: { type: "string" },
      previous: { type: "string" },
      rate: { type: "string", default: "100" },
      help: { type: "boolean", short: "h" },
    },
  });
  const [place] = positionals;
  const rate = Number(values.rate);
  if (values.help || place === undefined || positionals.length > 1 || !(rate >= 0)) {
    console.raw(`${usage}\n`);
    process.exitCode = values.help ? 0 : 2;
  } else await backUp(place, { home: values.home, previous: values.previous, rate });
} catch (error) {
  console.problem("failed", (error as Error).message);
  process.exitCode = 1;
}

async function backUp(
  place: string,
  { home, previous, rate }: { home: string | undefined; previous: string | undefined; rate: number },
): Promise<void> {
  const config = loadLauncherConfig();
  await yieldToOthers();
  const { manifest, linked } = await createBackup({
    config: home === undefined ? config : { ...config, home: resolve(home) },
    place,
    previous,
    bytesPerSecond: rate * 1024 * 1024,
    signal: listenForStop().signal,
    say: (text) => console.say("backup", text),
  });
  const { repositories, files, bytes, database_at: at } = manifest;
  const shared = linked > 0 ? `, ${linked} of them shared with ${previous}` : "";
  console.say(
    "backup",
    `${repositories} repositories, ${files} files, ${(bytes / 1024 ** 2).toFixed(0)} MiB${shared}`,
  );
  console.ready("backup", `done: ${resolve(place)}, the state of ${at}`);
  console.say(
    "backup",
    "the key that opens it (data/instance.key, unless you set another) is not in it: keep a copy of it elsewhere",
  );
}

/** The instance comes first, for the processor and for the disk. */
async function yieldToOthers(): Promise<void> {
  setPriority(19);
  await run("ionice", ["-c", "3", "-p", String(process.pid)]).catch(() => undefined);
}
