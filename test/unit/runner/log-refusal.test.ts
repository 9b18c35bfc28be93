/** The end of a runner for one job is no error in its log; every other refusal is. */
import { expect, it } from "vitest";
import { logRefusal } from "@forgeline/runner/log-refusal.ts";
import type { JobRecord } from "@forgeline/runner/state/job-record.ts";

const removed = { reason: "revoked on the server", isRemoved: true };

/** The level at which it is told to a runner whose records are these. */
function level(given: { oneJob?: boolean; isRemoved?: boolean; hasHadJob?: boolean; results?: unknown[] }) {
  const { oneJob = true, isRemoved = true, hasHadJob = true, results = [] } = given;
  const said: [string, unknown][] = [];
  const logger = {
    info: (text: unknown) => void said.push(["info", text]),
    error: (text: unknown) => void said.push(["error", text]),
  };
  const jobs = () => results.map((result) => ({ result }) as JobRecord);
  logRefusal({ config: { oneJob }, state: { jobs }, logger }, { ...removed, isRemoved }, hasHadJob);
  expect(said).toHaveLength(1);
  return said[0]?.[0];
}

it.each([
  ["after its one job", {}, "info"],
  ["while its one job is told and cleaned up", { results: [{ status: "success" }] }, "info"],
  ["in the middle of its one job", { results: [null] }, "error"],
  ["before any job", { hasHadJob: false }, "error"],
  ["of a runner for many", { oneJob: false }, "error"],
  ["of its credential", { isRemoved: false }, "error"],
])("a refusal %s", (_when, given, expected) => {
  expect(level(given)).toBe(expected);
});
