/** Adds up the rounds of one scenario, and says them as a row of a table. */
import type { Count, Round, Scenario } from "./scenario.ts";

export interface Tally {
  scenario: Scenario;
  good: number;
  bad: number;
  void: number;
  faults: number;
  counts: Map<string, Count>;
  measures: Map<string, number[]>;
  problems: string[];
}

export function newTally(scenario: Scenario): Tally {
  return {
    scenario,
    good: 0,
    bad: 0,
    void: 0,
    faults: 0,
    counts: new Map(),
    measures: new Map(),
    problems: [],
  };
}

export function addRound(tally: Tally, round: Round): void {
  tally[round.verdict]++;
  if (round.verdict !== "good")
    tally.problems.push(...round.problems.map((text) => `${round.fault}: ${text}`));
  // What a fault that missed left whole proves nothing.
  if (round.verdict === "void") return;
  tally.faults += round.faults ?? 1;
  addCounts(tally.counts, round.counts);
  for (const [name, value] of Object.entries(round.measures ?? {}))
    tally.measures.set(name, [...(tally.measures.get(name) ?? []), value]);
}

/** To the sums by name of the property. */
export function addCounts(sums: Map<string, Count>, counts: Round["counts"]): void {
  for (const [name, { bad, total }] of Object.entries(counts)) {
    const sum = sums.get(name) ?? { bad: 0, total: 0 };
    sums.set(name, { bad: sum.bad + bad, total: sum.total + total });
  }
}

/** Proven: at least one round whose fault bit, and none with anything wrong. */
export function isProven(tally: Tally): boolean {
  return tally.good > 0 && tally.bad === 0;
}

export const tableHead = [
  "| Row | What must survive | Rounds | Bad of all | Measured | When |",
  "|---|---|---|---|---|---|",
].join("\n");

/** `when`: the day and the seed. */
export function tableRow(tally: Tally, when: string): string {
  const { scenario, good, bad, counts, measures } = tally;
  const rounds = `${bad} bad of ${good + bad}, ${tally.faults} faults${tally.void > 0 ? `, ${tally.void} void` : ""}`;
  const counted = [...counts].map(([name, { bad: n, total }]) => `${name}: **${n} of ${grouped(total)}**`);
  const measured = [...measures].map(([name, values]) => {
    const sorted = [...values].sort((a, b) => a - b);
    return `${name}: median ${sorted[Math.floor(sorted.length / 2)]}, worst ${sorted.at(-1)}`;
  });
  const cells = [scenario.row, scenario.promise, rounds, counted.join("; "), measured.join("; "), when];
  return `| ${cells.join(" | ")} |`;
}

const grouped = (value: number) => value.toLocaleString("en");
