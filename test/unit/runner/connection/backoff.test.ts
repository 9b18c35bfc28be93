import { describe, expect, it } from "vitest";
import { backoffMs } from "@forgeline/runner/connection/backoff.ts";

describe("backoff", () => {
  it("begins quickly, doubles, and stays short enough to find a server within three seconds", () => {
    expect([0, 1, 2, 3, 10, 1000].map((attempt) => backoffMs(attempt, () => 1))).toEqual([
      100, 200, 400, 800, 2500, 2500,
    ]);
  });

  it("is spread over the whole span", () => {
    expect(backoffMs(5, () => 0)).toBe(0);
    expect(backoffMs(3, () => 0.5)).toBe(400);
  });
});
