/**
 * `npm run fuzz`: schemathesis with all its checks against a real API server, which is made for it on loopback and holds
 * a little of everything. Exit status 1 when it found something.
 *
 *   npm run fuzz -- [--max-examples 1000] [--seed 1] [--tag repositories]... [--operation createRepository]...
 *                   [--phases examples,coverage,fuzzing,stateful] [--schemathesis PROGRAM] [--keep DIRECTORY]
 *
 * A thousand cases an operation take about an hour; `--max-examples 30` is for every day, and `npm test` tries a few of
 * each. Without `--tag` and `--operation` all operations are tried, but for those that `fuzz/settings.ts` leaves out.
 * Needs Python 3 and, the first time, PyPI.
 */
import { chmod, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { loadLauncherConfig } from "@forgeline/launcher/config.ts";
import { withBed } from "../test/chaos/chaos-bed.ts";
import { startApiServer } from "../test/support/api-server.ts";
import { fuzzServer } from "./fuzz/run.ts";
import { ensureSchemathesis } from "./fuzz/schemathesis.ts";

const { values } = parseArgs({
  options: {
    "max-examples": { type: "string", default: "1000" },
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

async function fuzz(program: string, directory: string): Promise<number> {
  const server = await startApiServer();
  try {
    say(`fuzzing ${server.baseUrl}; requests and answers: ${directory}`);
    return await fuzzServer(server, {
      program,
      directory,
      maxExamples: Number(values["max-examples"]),
      seed: Number(values.seed),
      phases: values.phases,
      selection: selection(),
      onOutput: (text) => process.stdout.write(text),
    });
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
