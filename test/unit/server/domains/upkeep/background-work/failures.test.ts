import { describe, expect, it } from "vitest";
import { failureChain, redactMessage } from "@forgeline/server/domains/upkeep/background-work/failures.ts";

describe("failureChain", () => {
  it("goes from the outside inwards and names each kind", () => {
    const cause = { message: "disk is full", applicationFailureInfo: { type: "" } };
    const activity = { message: "Activity task failed", activityFailureInfo: {}, cause };
    expect(failureChain(activity)).toEqual([
      { type: "step_failed", message: "Activity task failed" },
      { type: "Error", message: "disk is full" },
    ]);
    expect(failureChain({ message: "x", timeoutFailureInfo: {} })[0]?.type).toBe("timed_out");
    expect(failureChain(null)).toEqual([]);
  });

  it("ends", () => {
    const endless: { message: string; cause?: object } = { message: "again" };
    endless.cause = endless;
    expect(failureChain(endless)).toHaveLength(10);
  });
});

describe("shown", () => {
  const canary = "c4n4ry-0f-4-s3cr3t";
  it.each([
    `fatal: unable to access 'https://ada:${canary}@host/x.git'`,
    `connect postgres://app:${canary}@127.0.0.1/db failed`,
    `refused: Authorization: Bearer ${canary}`,
    `svc_pat_${canary.replaceAll("-", "_")}_${canary} is revoked`,
    `GET https://store/x?X-Amz-Signature=${canary}&X-Amz-Date=1 gave 403`,
    `GET https://store/x?X-Amz-Security-Token=${canary} gave 403`,
    `password=${canary} is wrong`,
    `{"password": "${canary}"}`,
    `-----BEGIN OPENSSH PRIVATE KEY-----\n${canary}\n`,
  ])("cuts out what looks like a secret: %s", (text) => {
    expect(redactMessage(text)).not.toContain(canary);
    expect(redactMessage(text)).toContain("[redacted]");
  });

  it.each([
    "fatal: not a git repository: '/data/repositories/ab/cd.git'",
    "the token is out of date",
    "GET https://store/x?versionId=7 gave 404",
    "duplicate key value violates unique constraint",
  ])("leaves the rest: %s", (text) => {
    expect(redactMessage(text)).toBe(text);
  });

  it("shortens", () => {
    expect(redactMessage("x".repeat(5_000))).toBe(`${"x".repeat(2_000)} …`);
  });
});
