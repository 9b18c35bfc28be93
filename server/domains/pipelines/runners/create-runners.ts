/** Wires for runners: the runners themselves, their groups, and what waits for them. */
import type { Platform } from "../../../platform/platform.ts";
import type { Policy } from "../../policy/domain.ts";
import { createRunnerGroupService } from "../runner-groups/service.ts";
import { createRunnerDemand } from "./demand.ts";
import { createRunnerService } from "./service.ts";

export function createRunners({ db, addresses }: Pick<Platform, "db" | "addresses">, policy: Policy) {
  return {
    runners: createRunnerService({ db, ...policy }),
    runnerGroups: createRunnerGroupService({ db, addresses, ...policy }),
    runnerDemand: createRunnerDemand(db),
  };
}
