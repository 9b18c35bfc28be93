import { describe, expect, it } from "vitest";
import { retryDelay } from "@forgeline/workflows/definitions/retry.ts";

const retry = (on: string[], max = 3) => ({ max, on, delayMs: 100, factor: 2, maxDelayMs: 300 });
const failure = (reason: string, status = "error") => ({ status, reason });

describe("retryDelay", () => {
  it("grows by the factor up to the limit, and ends after max tries", () => {
    const delays = [0, 1, 2, 3].map((made) => retryDelay(retry(["infra"]), failure("runner_lost"), made));
    expect(delays).toEqual([100, 200, 300, null]);
  });

  it.each([
    ["infra", "clone", true],
    ["infra", "disk_full", true],
    ["infra", "exit:1", false],
    ["image_pull", "image_pull", true],
    ["service", "service_not_ready", true],
    ["timeout", "idle_timeout", true],
    ["script", "exit:1", true],
    ["exit:137", "exit:137", true],
    ["exit:137", "exit:1", false],
    ["exit:1", "exit:137", false],
    ["exit:10-20", "exit:15", true],
    ["any", "oom", true],
  ])("on: [%s] with %s is %s", (on, reason, tried) => {
    expect(retryDelay(retry([on]), failure(reason, "failed"), 0) !== null).toBe(tried);
  });

  it("never tries again what was cancelled", () => {
    expect(retryDelay(retry(["any"]), failure("user:ada", "cancelled"), 0)).toBeNull();
  });
});
