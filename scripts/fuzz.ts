/**
 * `npm run fuzz`: random input. First schemathesis with all its checks against a real API server, which is made for it on
 * loopback and holds a little of everything; then the attacks of `npm run hostile` that make their input up and need no
 * Docker, at full size. Exit status 1 when something was found.
 *
 *   npm run fuzz -- [--only schemathesis,36] [--seed 1] [--max-examples 1000]
 *                   [--tag repositories]... [--operation createRepository]...
 *                   [--phases examples,coverage,fuzzing,stateful] [--schemathesis PROGRAM] [--keep DIRECTORY]
 *
 * A thousand cases an operation take about an hour; `--max-examples 30` is for every day, and `npm test` tries a few of
 * each. Without `--tag` and `--operation` all operations are tried, but for those that `fuzz/settings.ts` leaves out; with
 * one, schemathesis alone runs. The seed is another each time; it is printed first, and `--seed` repeats it.
 * Needs Python 3 and, the first time, PyPI.
 */
import { randomInt } from "node:crypto";
import { chmod, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { loadLauncherConfig } from "@forgeline/launcher/config.ts";
import { withBed } from "../test/chaos/chaos-bed.ts";
import { startApiServer } from "../test/support/api-server.ts";
import { fuzzServer } from "./fuzz/run.ts";
import { ensureSchemathesis } from "./fuzz/schemathesis.ts";
import { attacks, chosenOf } from "./hostile/attacks.ts";
import { runAttacks } from "./hostile/run-attacks.ts";
import { summary, type AttackResult } from "./hostile/summary.ts";

const { values } = parseArgs({
  options: {
    "max-examples": { type: "string", default: "1000" },
    only: { type: "string" },
    seed: { type: "string", default: String(randomInt(1, 2 ** 31)) },
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

const seed = Number(values.seed);
const words = values.only?.split(",");
const areOperationsChosen = values.tag.length + values.operation.length > 0;
const isSchemathesisAsked = words === undefined || words.includes("schemathesis");
const others = words?.filter((word) => word !== "schemathesis");
const random = attacks.filter(({ isRandom }) => isRandom);
const chosen =
  others?.length === 0 || (others === undefined && areOperationsChosen)
    ? []
    : chosenOf(random, others?.join(","));

async function runSchemathesis(): Promise<AttackResult> {
  const program = values.schemathesis ?? (await ensureSchemathesis(loadLauncherConfig().cache, say));
  const directory = values.keep ?? (await mkdtemp(join(tmpdir(), "forgeline-fuzz-")));
  await mkdir(directory, { recursive: true });
  // Answers hold what the server shows once.
  await chmod(directory, 0o700);
  const began = performance.now();
  const status = await fuzz(program, directory);
  if (status !== 0)
    say(`schemathesis found something, or could not run (exit status ${status}): see ${directory}`);
  else if (!values.keep) await rm(directory, { recursive: true, force: true });
  const seconds = (performance.now() - began) / 1000;
  const counted = [`${values["max-examples"]} cases an operation at most`];
  return { name: "schemathesis", isGood: status === 0, seconds, counted };
}

say(`fuzz: seed ${seed}`);
const results: AttackResult[] = [];
await withBed(say, async () => {
  if (isSchemathesisAsked) results.push(await runSchemathesis());
  results.push(...(await runAttacks(chosen, { seed, say })));
});
say(`\n${summary(results)}\n\nfuzz: seed ${seed}`);
const isAllRun = results.length === chosen.length + (isSchemathesisAsked ? 1 : 0);
process.exit(isAllRun && results.every(({ isGood }) => isGood) ? 0 : 1);
