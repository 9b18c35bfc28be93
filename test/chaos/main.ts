/**
 * `npm run chaos`: seeded rounds of faults against whole instances, each judged, until the time is up. Prints a row a
 * property; with `--write`, puts the table into `docs/reliability.md`. Every round is a line of the ledger.
 *
 *   npm run chaos -- [--minutes 10] [--seed 1] [--only R1,R3] [--ledger FILE] [--write]
 *
 * The time is shared equally by the scenarios, and a round that has begun is finished. Exit status 1 when a round was
 * bad or a scenario had no round whose fault bit.
 */
import { appendFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { seededRandom } from "../support/seeded-random.ts";
import { withBed } from "./chaos-bed.ts";
import { describeMachine, writeFigures } from "./figures.ts";
import type { OpenScenario, Round, Scenario } from "./scenario.ts";
import { scenarios } from "./scenarios.ts";
import { addRound, isProven, newTally, tableHead, tableRow, type Tally } from "./tally.ts";

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "10" },
    seed: { type: "string", default: "1" },
    only: { type: "string" },
    ledger: { type: "string", default: join(tmpdir(), "forgeline-chaos.jsonl") },
    write: { type: "boolean", default: false },
  },
});
const minutes = Number(values.minutes);
const seed = Number(values.seed);
if (!(minutes > 0) || !Number.isInteger(seed))
  throw new Error("--minutes takes a number, --seed a whole one");
const rows = values.only?.split(",");
const chosen = scenarios.filter(({ row, name }) => !rows || rows.includes(row) || rows.includes(name));
if (chosen.length === 0)
  throw new Error(
    `no such scenario; there are ${scenarios.map(({ row, name }) => `${row} ${name}`).join(", ")}`,
  );

const ledger = (entry: Record<string, unknown>) =>
  appendFileSync(values.ledger, `${JSON.stringify({ at: new Date().toISOString(), ...entry })}\n`);
const say = (line: string) => console.log(line);

/** A signal ends the loop after the round under way, so that nothing is left behind; a second one ends at once. */
let stopping = false;
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => {
    stopping = true;
    say("stopping after this round");
  });

async function oneRound(open: OpenScenario, random: () => number): Promise<Round> {
  try {
    return await open.round(random);
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    return { verdict: "bad", counts: {}, fault: "the round broke off", problems: [problem] };
  }
}

async function runScenario(scenario: Scenario, forMs: number): Promise<Tally> {
  const tally = newTally(scenario);
  const random = seededRandom(seed);
  const open = await scenario.open(say);
  const until = performance.now() + forMs;
  for (let number = 1; number === 1 || (!stopping && performance.now() < until); number++) {
    ledger({ scenario: scenario.name, round: number, phase: "begin", seed });
    const round = await oneRound(open, random);
    ledger({ scenario: scenario.name, round: number, phase: "end", ...round });
    addRound(tally, round);
    say(`${scenario.row} ${scenario.name} round ${number}: ${round.verdict} (${round.fault})`);
    for (const problem of round.problems) say(`   ${problem}`);
    // After a round that broke off, the bed may be in any state.
    if (round.fault === "the round broke off") break;
  }
  const left = await open.close();
  ledger({ scenario: scenario.name, phase: "closed", left });
  if (left.length > 0) {
    const counts = { "things left over in Docker": { bad: left.length, total: left.length } };
    addRound(tally, { verdict: "bad", counts, fault: "at the end", problems: left });
  }
  return tally;
}

writeFileSync(values.ledger, "");
ledger({
  phase: "start",
  seed,
  minutes,
  machine: describeMachine(),
  scenarios: chosen.map(({ name }) => name),
});
const when = `${new Date().toISOString().slice(0, 10)}, seed ${seed}`;
const tallies: Tally[] = [];
await withBed(say, async () => {
  for (const scenario of chosen) {
    if (stopping) break;
    tallies.push(await runScenario(scenario, (minutes * 60_000) / chosen.length));
  }
});
const table = [tableHead, ...tallies.map((tally) => tableRow(tally, when))].join("\n");
say(`\n${table}\n`);
for (const tally of tallies) for (const problem of tally.problems) say(`${tally.scenario.name}: ${problem}`);
if (values.write) await writeFigures(tallies.map((tally) => tableRow(tally, when)));
say(`ledger: ${values.ledger}`);
process.exit(tallies.every(isProven) ? 0 : 1);
