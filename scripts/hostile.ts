/**
 * `npm run hostile`: what a hostile job, image, runner, tenant or client can do, tried at full size. Prints a table of what was
 * counted. Exit status 1 when something was found.
 *
 *   npm run hostile -- [--only 42,socket-flood] [--seed 1]
 *
 * `--only` takes names, or words of them; what there is stands in `hostile/attacks.ts`. All of it takes hours. The seed of what is
 * made up is another each time; it is printed first, and `--seed` repeats it. Runs on the standing test bed where there is
 * one, else on one of its own; what measures times wants a machine that does nothing else.
 */
import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { withBed } from "../test/chaos/chaos-bed.ts";
import { attacks, chosenOf } from "./hostile/attacks.ts";
import { runAttacks } from "./hostile/run-attacks.ts";
import { summary, type AttackResult } from "./hostile/summary.ts";

const { values } = parseArgs({ options: { only: { type: "string" }, seed: { type: "string" } } });
const seed = values.seed === undefined ? randomInt(2 ** 31) : Number(values.seed);
if (!Number.isSafeInteger(seed)) throw new Error("--seed takes a whole number");
const chosen = chosenOf(attacks, values.only);
const say = (line: string) => console.log(line);

say(`hostile: seed ${seed}`);
let results: AttackResult[] = [];
await withBed(say, async () => {
  results = await runAttacks(chosen, { seed, say });
});
say(`\n${summary(results)}\n\nhostile: seed ${seed}`);
process.exit(results.length === chosen.length && results.every(({ isGood }) => isGood) ? 0 : 1);
