/** Mistakes in the bounds of what pipelines ask for, but for labels (`label-sets.ts`), and in what is tried again. */
import type { Mutant } from "./mutant.ts";

const activity = ["test/unit/workflows/activities/activity.test.ts"];

export const askedBounds: readonly Mutant[] = [
  {
    name: "asked-texts-can-be-held",
    promise: "What an expression makes is text that PostgreSQL and environments hold.",
    file: "compiler/template.ts",
    find: 'if (result.includes("\\0") || !result.isWellFormed()) {',
    replace: 'if (result === "\\0") {',
    tests: ["test/unit/compiler/template.test.ts"],
  },
  {
    name: "asked-file-names-have-an-end",
    promise: "Names of pipeline files have an end.",
    file: "compiler/choose-files.ts",
    find: "nameBytes(path) > limits.fileNameBytes",
    replace: "nameBytes(path) < 0",
    tests: ["test/unit/compiler/choose-files.test.ts"],
  },
  {
    name: "asked-writes-that-never-succeed-end",
    promise: "A write that PostgreSQL will never take is not tried again.",
    file: "workflows/activities/activity.ts",
    find: "(22|23|54)[0-9A-Z]{3}$/",
    replace: "(99)[0-9A-Z]{3}$/",
    tests: activity,
  },
  {
    name: "asked-collisions-are-tried-again",
    promise: "Who collided with another's row tries again.",
    file: "workflows/activities/activity.ts",
    find: "(?!23505)",
    replace: "",
    tests: activity,
  },
  {
    name: "asked-long-waits-hold-nothing",
    promise: "A long wait for the next try holds no place of the worker.",
    file: "workflows/definitions/profiles.ts",
    find: 'localRetryThreshold: "1 s"',
    replace: 'localRetryThreshold: "60 s"',
    tests: [
      "test/integration/faults/refused-tenant.test.ts",
      "test/integration/workflows/refused-runs.test.ts",
    ],
  },
];
