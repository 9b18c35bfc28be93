/** Mistakes in whose limits are spent, and by what. */
import type { Mutant } from "./mutant.ts";

const openLogs = ["test/integration/api/logs/open-logs.test.ts"];
const subjects = ["test/unit/server/platform/access/subject.test.ts"];

export const limits: readonly Mutant[] = [
  {
    name: "limits-opening-by-ticket",
    promise: "The opening of a log counts against whom its ticket names, and not against the address.",
    file: "server/edges/http/upgrade.ts",
    find: "    await count(deps, actor, 1);\n",
    replace: "    await count(deps, { ...anonymousActor, request: context }, 1);\n",
    tests: openLogs,
    only: "invented tickets",
  },
  {
    name: "limits-openings-are-no-requests",
    promise: "Openings of logs cost no request of the API.",
    file: "server/edges/http/upgrade.ts",
    find: `take("sockets", subject, cost)`,
    replace: `take("core", subject, cost)`,
    tests: openLogs,
    only: "office of three",
  },
  {
    name: "limits-open-logs-of-a-person",
    promise: "The logs that somebody has open are counted for them, and not for the address.",
    file: "server/edges/watch/upgrade.ts",
    find: "hold(subjectOf(actor))",
    replace: "hold(subjectOf({ ...actor, userId: null, job: undefined }))",
    tests: openLogs,
    only: "past the most",
  },
  {
    name: "limits-closed-logs-are-free",
    promise: "A log that was closed makes room for another.",
    file: "server/edges/watch/upgrade.ts",
    find: `    socket.once("close", place.leave);\n`,
    replace: "",
    tests: openLogs,
    only: "past the most",
  },
  {
    name: "limits-jobs-spend-nobodys",
    promise: "What jobs ask spends no limit of the person behind them.",
    file: "server/platform/access/subject.ts",
    find: "  if (actor.job)\n",
    replace: "  if (actor.job && actor.userId === null)\n",
    tests: subjects,
  },
  {
    name: "limits-own-work-is-free",
    promise: "What the product does for itself spends nobody's limit.",
    file: "server/platform/access/subject.ts",
    find: `  if (actor.kind === "system") return null;\n`,
    replace: "",
    tests: subjects,
  },
  {
    name: "limits-own-checks-are-free",
    promise: "Looking what is left, as the command line does at its start, spends no limit and needs none.",
    file: "schemas/limits/routes.ts",
    find: `rateCategory: "free"`,
    replace: `rateCategory: "core"`,
    tests: ["test/integration/limits/own-checks.test.ts"],
  },
];
