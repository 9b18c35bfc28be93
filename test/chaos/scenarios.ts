/** All chaos scenarios, in the order of the table in `docs/reliability.md`. A new one is added here. */
import type { Scenario } from "./scenario.ts";
import { runnerPointsScenario, serverPointsScenario } from "./scenarios/crash-points.ts";
import { networkFaults } from "./scenarios/network-faults.ts";
import { runnerCrash } from "./scenarios/runner-crash.ts";
import { serverCrash } from "./scenarios/server-crash.ts";
import { zombie } from "./scenarios/zombie.ts";

export const scenarios: readonly Scenario[] = [
  runnerCrash,
  serverCrash,
  networkFaults,
  serverPointsScenario,
  runnerPointsScenario,
  zombie,
];
