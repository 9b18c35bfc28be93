/**
 * R9 with two API servers on one disk, in PID and network namespaces of their own: a thousand pushes to the same refs, while Git
 * processes that hold locks are stopped for a minute, once with the whole server, and others are killed. A round takes four minutes.
 */
import { runDrill, type DrillFigures } from "../../support/neighbours/drill.ts";
import type { Round, Scenario } from "../scenario.ts";

const size = {
  pushes: 1_000,
  refs: 8,
  pushers: 3,
  stops: 4,
  stopsSide: true,
  stoppedForMs: 60_000,
  kills: 6,
};
const maxLeftMs = 60_000;

function judge({ acknowledged, held, heldAndRemoved, lost, leftMs }: DrillFigures): Round {
  const late = leftMs.filter((ms) => ms > maxLeftMs);
  const problems = [
    ...heldAndRemoved.map((ref) => `the lock of ${ref} was taken from its holder`),
    ...lost.map((update) => `lost: ${update}`),
    ...late.map((ms) => `a lock that was nobody's stayed for ${ms} ms`),
  ];
  const hasBitten = leftMs.length >= size.kills;
  return {
    verdict: problems.length > 0 ? "bad" : hasBitten ? "good" : "void",
    counts: {
      "locks taken from their holders": { bad: heldAndRemoved.length, total: held },
      "updates lost": { bad: lost.length, total: acknowledged + held },
      "locks left for more than a minute": { bad: late.length, total: leftMs.length },
    },
    measures: { "ms until a killed one's lock is gone": Math.max(0, ...leftMs) },
    faults: held + leftMs.length,
    fault: `${held} stopped, ${leftMs.length} killed`,
    problems,
  };
}

export const neighbours: Scenario = {
  row: "R9",
  name: "neighbours",
  promise:
    "Two servers that share only disk and database push to the same refs, and holders of locks are stopped or killed",
  open: async () => ({
    round: async () => judge(await runDrill(size)),
    close: async () => [],
  }),
};
