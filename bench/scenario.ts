/** What a scenario is given and what it gives back. Scenarios measure; nothing here or there asserts a time. */
import type Dockerode from "dockerode";
import type pg from "pg";
import type { TestInstance } from "../test/support/instance.ts";
import type { BenchClient } from "./client.ts";
import type { BenchRepository } from "./repository.ts";
import type { BenchSize } from "./size.ts";

export interface Bench {
  instance: TestInstance;
  client: BenchClient;
  /** Files that run by REST only, one for each scenario. */
  repository: BenchRepository;
  docker: Dockerode;
  /** Read-only looks at the instance's records, for times of parts. */
  database: pg.Client;
  directory: string;
  sshPort: number;
  size: BenchSize;
  say: (line: string) => void;
}

export interface Figure {
  what: string;
  value: string;
  /** The limit, as text; and whether this run was within it. */
  limit?: { text: string; met: boolean };
}

export interface Part {
  what: string;
  /** Median, milliseconds. */
  ms: number;
}

export interface ScenarioResult {
  figures: Figure[];
  /** Where the time goes; one list for each variant. */
  parts: { title: string; parts: Part[] }[];
}

export interface Scenario {
  number: number;
  title(size: BenchSize): string;
  /** Takes minutes to prepare, and so runs only when `--only` names it. */
  isLong?: boolean;
  run(bench: Bench): Promise<ScenarioResult>;
}

/** `ours / theirs` as a figure with its limit. */
export function ratioFigure(
  what: string,
  { ours, theirs, atMost }: { ours: number; theirs: number; atMost: number },
): Figure {
  const ratio = ours / theirs;
  return {
    what,
    value: `${ratio.toFixed(2)} × (${ours.toFixed(0)} ms against ${theirs.toFixed(0)} ms)`,
    limit: { text: `≤ ${atMost} ×`, met: ratio <= atMost },
  };
}
