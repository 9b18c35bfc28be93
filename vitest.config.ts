import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    exclude: ["test/chaos/**", "**/node_modules/**"],
    pool: "forks",
    // Two cores: more files at once only make each other slow.
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    teardownTimeout: 20_000,
    dangerouslyIgnoreUnhandledErrors: false,
    passWithNoTests: false,
    // What a test sees does not depend on where it runs: a terminal, a pipe or a CI job.
    env: { NO_COLOR: "1" },
  },
});
