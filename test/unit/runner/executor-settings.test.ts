/** The executor without containers is used only where the operator says so, and as root only where that is said too. */
import { expect, test } from "vitest";
import { readEnvironment } from "@forgeline/runner/config.ts";
import { engineOf } from "@forgeline/runner/executor-settings.ts";

const set = (executor?: string, asRoot?: string) =>
  readEnvironment({ FORGELINE_RUNNER_EXECUTOR: executor, FORGELINE_RUNNER_PROCESS_AS_ROOT: asRoot }, {});

test("containers are the default", () => {
  expect(engineOf(set(), 1000)).toBe("docker");
  expect(engineOf(set(undefined, "true"), 0)).toBe("docker");
});

test("processes need the operator's word, and root needs it twice", () => {
  expect(engineOf(set("process"), 1000)).toBe("process");
  expect(() => engineOf(set("process"), 0)).toThrow("FORGELINE_RUNNER_PROCESS_AS_ROOT=true");
  expect(engineOf(set("process", "true"), 0)).toBe("process");
});
