/** The runner's program with the shell engine: for tests that kill it. Argument: the runner's directory. */
import { join } from "node:path";
import { pino } from "pino";
import { Agent } from "@forgeline/runner/agent.ts";
import { createCommitFetcher } from "@forgeline/runner/workspace/fetch-commit.ts";
import { readConfig, readEnvironment } from "@forgeline/runner/config.ts";
import { StateFile } from "@forgeline/runner/state/state-file.ts";
import { createShellEngine } from "./shell-engine.ts";

const home = process.argv[2] ?? "";
const config = await readConfig(readEnvironment({ FORGELINE_RUNNER_DIR: home }));
const state = await StateFile.open(join(home, "state.json"));
const logger = pino({ level: process.env["TEST_LOG_LEVEL"] ?? "warn" }, pino.destination(2));
const engine = createShellEngine(join(home, "jobs"));
const agent = new Agent({ config, engine, commits: createCommitFetcher(), state, logger });
process.on("SIGTERM", () => agent.drain());
process.on("SIGINT", () => agent.cancelAll(500));
process.exit(await agent.run());
