/**
 * Many runners in one process, on an engine that executes nothing: `main.ts URL CA_FILE DIRECTORY CAPACITY LABELS`, with one
 * registration token for each runner on a line of standard input. They run until SIGINT, which ends their jobs.
 */
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { pino } from "pino";
import { Agent } from "@forgeline/runner/agent.ts";
import { openKeptParts } from "@forgeline/runner/artifacts/kept-parts.ts";
import { openCacheUploads } from "@forgeline/runner/caches/cache-uploads.ts";
import { readConfig, readEnvironment, writeRunnerFile } from "@forgeline/runner/config.ts";
import { registerRunner } from "@forgeline/runner/connection/register.ts";
import { createEngine } from "@forgeline/runner/create-engine.ts";
import { StateFile } from "@forgeline/runner/state/state-file.ts";
import { createCommitFetcher } from "@forgeline/runner/workspace/fetch-commit.ts";

const [url = "", caFile = "", directory = "", capacity = "", labels = ""] = process.argv.slice(2);
const settings = { server: url, labels: labels.split(","), capacity: Number(capacity), oneJob: false };
const logger = pino({ level: "warn", base: null });
const commits = createCommitFetcher();
const nothing = { maxBytes: 0, minFreeBytes: 0 };

async function addRunner(token: string, name: string): Promise<Agent> {
  const home = join(directory, name);
  await mkdir(home, { recursive: true });
  const ca = await readFile(caFile, "utf8");
  const registered = await registerRunner({ ...settings, token, name, ca });
  const { labels: own, capacity: jobs } = settings;
  await writeRunnerFile(home, { ...registered, name, labels: own, capacity: jobs, ca_file: caFile });
  const config = await readConfig(
    readEnvironment({ FORGELINE_RUNNER_DIR: home, FORGELINE_RUNNER_ENGINE: "fake" }),
  );
  return new Agent({
    config,
    engine: createEngine(config, logger),
    commits,
    state: await StateFile.open(join(home, "state.json")),
    logger,
    kept: await openKeptParts({ directory: join(home, "kept"), ...nothing }),
    uploads: await openCacheUploads({ directory: join(home, "uploads"), ...nothing }),
  });
}

const agents: Agent[] = [];
process.once("SIGINT", () => {
  for (const agent of agents) agent.cancelAll(0);
});
const tokens = (await text(process.stdin)).trim().split("\n");
for (const [index, token] of tokens.entries()) agents.push(await addRunner(token, `fleet-${index}`));
await Promise.all(agents.map((agent) => agent.run()));
commits.close();
process.exit(0);
