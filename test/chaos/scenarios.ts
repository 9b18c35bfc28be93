/** All chaos scenarios, in the order of the table in `docs/reliability.md`. A new one is added here. */
import type { Scenario } from "./scenario.ts";
import { runnerPointsScenario, serverPointsScenario } from "./scenarios/crash-points.ts";
import { neighbours } from "./scenarios/neighbours.ts";
import { allFeatures } from "./scenarios/all-features/all-features.ts";
import { merges } from "./scenarios/merges/merges.ts";
import { mirrors } from "./scenarios/mirrors.ts";
import { networkFaults } from "./scenarios/network-faults.ts";
import { clocks, deadJobs, rolls, starving } from "./scenarios/orderly.ts";
import { poison } from "./scenarios/queue/poison.ts";
import { queue } from "./scenarios/queue/queue.ts";
import { dockerCrash, postgresqlCrash, temporalCrash } from "./scenarios/parts-crash.ts";
import { powerCut } from "./scenarios/power-cut.ts";
import { pushCrash } from "./scenarios/push-crash.ts";
import { runnerCrash } from "./scenarios/runner-crash.ts";
import { serverCrash } from "./scenarios/server-crash.ts";
import { upgrades } from "./scenarios/upgrade/upgrade.ts";
import { slowViewers, thousandViewers } from "./scenarios/watchers.ts";
import { webhooks } from "./scenarios/webhooks.ts";
import { zombie } from "./scenarios/zombie.ts";

export const scenarios: readonly Scenario[] = [
  runnerCrash,
  serverCrash,
  networkFaults,
  serverPointsScenario,
  runnerPointsScenario,
  zombie,
  postgresqlCrash,
  temporalCrash,
  dockerCrash,
  webhooks,
  mirrors,
  slowViewers,
  thousandViewers,
  deadJobs,
  clocks,
  rolls,
  starving,
  powerCut,
  pushCrash,
  merges,
  neighbours,
  queue,
  poison,
  allFeatures,
  upgrades,
];
