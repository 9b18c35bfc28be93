import { defineConfig } from "vitest/config";
import { createCostReporter } from "./test/support/costs/reporter.ts";
import { LongestFirst } from "./test/support/longest-first.ts";
import { size } from "./test/support/size.ts";

const every = "test/**/*.test.ts";
/**
 * Files that share a process with others of these: they hold no state outside of their own beds, and loading the server
 * takes each process a second.
 */
const sharing = [
  "test/unit",
  "test/contract",
  "test/security",
  "test/hostile",
  "test/web",
  "test/integration/{api,cli,db,faults,git,limits,logs,runner,runner-hub,workflows}",
];
const shared = sharing.map((directory) => `${directory}/**/*.test.ts`);
const never = ["test/chaos/**", "**/node_modules/**"];

export default defineConfig({
  test: {
    pool: "forks",
    environment: "./test/support/process-environment.ts",
    // For two cores: while one file waits, two work.
    maxWorkers: 3,
    testTimeout: size(60_000, 3 * 3_600_000),
    hookTimeout: size(120_000, 3_600_000),
    teardownTimeout: 20_000,
    // What is waited for comes when the machine gets to it; a second is too little for one that does three things at once.
    expect: { poll: { timeout: 20_000 } },
    dangerouslyIgnoreUnhandledErrors: false,
    passWithNoTests: false,
    // What a test sees does not depend on where it runs: a terminal, a pipe or a CI job.
    env: { NO_COLOR: "1" },
    setupFiles: ["./test/support/costs/setup.ts", "./test/support/web/describe-failed-pages.ts"],
    reporters: ["default", createCostReporter()],
    sequence: { sequencer: LongestFirst },
    projects: [
      { extends: true, test: { name: "shared", include: shared, exclude: never, isolate: false } },
      { extends: true, test: { name: "alone", include: [every], exclude: [...never, ...shared] } },
    ],
  },
});
