/** One run of schemathesis, with all its checks, against an API server that is there for it alone. */
import { spawn } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ApiServer } from "../../test/support/api-server.ts";
import { seedForFuzzing } from "./seed.ts";
import { settingsFile } from "./settings.ts";

export interface FuzzRun {
  program: string;
  /** Where settings and `report.ndjson`, with all requests and answers, are written. */
  directory: string;
  /** Cases an operation. */
  maxExamples: number;
  /** The same seed tries the same. */
  seed: number;
  /** Of `examples,coverage,fuzzing,stateful`. */
  phases: string;
  /** The coverage phase tries what is right alone; of more than three quarters of its cases something is wrong. */
  onlyValidCoverage?: boolean;
  /** Further arguments, such as which operations. */
  selection: readonly string[];
  onOutput(text: string): void;
}

/** Resolves with the program's exit status: 0 when every operation was tried and nothing found. */
export async function fuzzServer(server: ApiServer, run: FuzzRun): Promise<number> {
  const seeds = await seedForFuzzing(server);
  const settings = join(run.directory, "schemathesis.toml");
  await writeFile(
    settings,
    settingsFile({ caFile: server.caFile, seeds, coverage: run.onlyValidCoverage ? "positive" : "all" }),
  );
  const args = ["--config-file", settings, "run", `${server.baseUrl}/openapi.json`, "--no-color"];
  // All checks are on by themselves; to ask for them here would also undo what the settings except.
  args.push("--phases", run.phases, "--continue-on-failure");
  args.push("--max-examples", String(run.maxExamples), "--seed", String(run.seed));
  args.push("--report-ndjson-path", join(run.directory, "report.ndjson"), ...run.selection);
  return spawned(run, args, seeds.token);
}

function spawned({ program, directory, onOutput }: FuzzRun, args: string[], token: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, FORGELINE_FUZZ_TOKEN: token };
    const child = spawn(program, args, { cwd: directory, env, stdio: ["ignore", "pipe", "pipe"] });
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", onOutput);
    // Ctrl-C reaches it by the terminal; what it found until then is told, and the server's database still dropped.
    const interrupted = () => undefined;
    const terminated = () => child.kill("SIGTERM");
    process.once("SIGINT", interrupted).once("SIGTERM", terminated);
    const forget = () => process.off("SIGINT", interrupted).off("SIGTERM", terminated);
    child.once("error", (error) => {
      forget();
      reject(error);
    });
    child.once("close", (code) => {
      forget();
      resolve(code ?? 1);
    });
  });
}
