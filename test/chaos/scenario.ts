/**
 * What a chaos scenario is. Each module in `scenarios/` exports one and is listed in `scenarios.ts`; the loop in
 * `main.ts` opens it, runs rounds until its time is up, and adds up what the rounds count.
 */

/** `bad` of `total`; for example missing lines of lines printed. */
export interface Count {
  bad: number;
  total: number;
}

export interface Round {
  /** `void`: the fault was not seen to bite. Such a round proves nothing and is counted apart. */
  verdict: "good" | "bad" | "void";
  /** By name of the property; the same names in every round of a scenario. */
  counts: Record<string, Count>;
  /** Measured values, for example milliseconds until live again; shown as median and worst. */
  measures?: Record<string, number>;
  /** How often something was broken in this round; default once. */
  faults?: number;
  /** The fault and its size, for the ledger. */
  fault: string;
  /** What was wrong, a sentence each; also why it was void. */
  problems: string[];
}

export interface OpenScenario {
  /** One fault and its judgement. `random` gives the seeded numbers in [0, 1). A rejection counts as a bad round. */
  round(random: () => number): Promise<Round>;
  /** Releases everything; what it finds left over is returned as problems. */
  close(): Promise<string[]>;
}

export interface Scenario {
  /** Row of the table of properties: `R1`. Several scenarios may share one. */
  row: string;
  name: string;
  /** What is promised, in plain words, for the table. */
  promise: string;
  open(say: (line: string) => void): Promise<OpenScenario>;
}
