/**
 * `npm run fuzz`: schemathesis with all its checks against a real API server, which is made for it on loopback and holds
 * a little of everything. Exit status 1 when it found something.
 *
 *   npm run fuzz -- [--max-examples 30] [--seed 1] [--tag repositories]... [--operation createRepository]...
 *                   [--phases examples,coverage,fuzzing,stateful] [--schemathesis PROGRAM] [--keep DIRECTORY]
 *
 * A thousand examples an operation (`--max-examples 1000`) take hours; the default is for every day. Without `--tag` and
 * `--operation` all operations are tried, but for those that `fuzz/settings.ts` leaves out. Needs Python 3 and, the first
 * time, PyPI.
 */
import { spawn } from "node:child_process";
import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { loadLauncherConfig } from "@forgeline/launcher/config.ts";
import { withBed } from "../test/chaos/chaos-bed.ts";
import { startApiServer } from "../test/support/api-server.ts";
import { ensureSchemathesis } from "./fuzz/schemathesis.ts";
import { seedForFuzzing } from "./fuzz/seed.ts";
import { settingsFile } from "./fuzz/settings.ts";

const { values } = parseArgs({
  options: {
    "max-examples": { type: "string", default: "30" },
    seed: { type: "string", default: "1" },
    tag: { type: "string", multiple: true, default: [] },
    operation: { type: "string", multiple: true, default: [] },
    phases: { type: "string", default: "examples,coverage,fuzzing,stateful" },
    schemathesis: { type: "string" },
    keep: { type: "string" },
  },
});
for (const name of ["max-examples", "seed"] as const)
  if (!/^[1-9]\d*$/.test(values[name])) throw new Error(`--${name} takes a whole number from 1 on`);

const say = (line: string) => console.log(line);

function selection(): string[] {
  return [
    ...values.tag.flatMap((tag) => ["--include-tag", tag]),
    ...values.operation.flatMap((id) => ["--include-operation-id", id]),
  ];
}

/** Resolves with the program's exit status; its output goes where ours goes. */
function runSchemathesis(program: string, args: string[], options: { cwd: string; token: string }) {
  return new Promise<number>((resolve, reject) => {
    const env = { ...process.env, FORGELINE_FUZZ_TOKEN: options.token };
    const child = spawn(program, args, { cwd: options.cwd, env, stdio: ["ignore", "inherit", "inherit"] });
    // Ctrl-C reaches it by the terminal; what it found until then is told, and the server's database still dropped.
    process.once("SIGINT", () => undefined);
    process.once("SIGTERM", () => child.kill("SIGTERM"));
    child.once("error", reject);
    child.once("exit", (code) => resolve(code ?? 1));
  });
}

async function fuzz(program: string, directory: string): Promise<number> {
  const server = await startApiServer();
  try {
    const seeds = await seedForFuzzing(server);
    const settings = join(directory, "schemathesis.toml");
    await writeFile(settings, settingsFile({ caFile: server.caFile, seeds }));
    say(`fuzzing ${server.baseUrl}; requests and answers: ${directory}`);
    const report = join(directory, "report.ndjson");
    const args = ["--config-file", settings, "run", `${server.baseUrl}/openapi.json`, "--no-color"];
    args.push("--checks", "all", "--phases", values.phases, "--continue-on-failure");
    args.push(
      "--max-examples",
      values["max-examples"],
      "--seed",
      values.seed,
      "--report-ndjson-path",
      report,
    );
    args.push(...selection());
    return await runSchemathesis(program, args, { cwd: directory, token: seeds.token });
  } finally {
    await server.stop();
  }
}

const program = values.schemathesis ?? (await ensureSchemathesis(loadLauncherConfig().cache, say));
const directory = values.keep ?? (await mkdtemp(join(tmpdir(), "forgeline-fuzz-")));
await mkdir(directory, { recursive: true });
// Answers hold what the server shows once.
await chmod(directory, 0o700);
await withBed(say, async () => {
  const status = await fuzz(program, directory);
  say(
    status === 0
      ? "fuzz: nothing found"
      : `fuzz: schemathesis found something, or could not run (exit status ${status})`,
  );
  process.exitCode = status === 0 ? 0 : 1;
});
if (!values.keep && process.exitCode === 0) await rm(directory, { recursive: true, force: true });
