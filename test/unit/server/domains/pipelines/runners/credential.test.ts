import { expect, test } from "vitest";
import {
  hashCredential,
  jobToken,
  newRunnerCredential,
} from "@forgeline/server/domains/pipelines/runners/credential.ts";

const key = Buffer.alloc(32, 1);

test("a job token is the same again for one lease, and another for any other", () => {
  const token = jobToken(key, "att_a", 1);
  expect(token).toMatch(/^svc_job_[\w-]{43}$/);
  expect(jobToken(key, "att_a", 1)).toBe(token);
  const others = [
    jobToken(key, "att_a", 2),
    jobToken(key, "att_b", 1),
    jobToken(Buffer.alloc(32, 2), "att_a", 1),
  ];
  expect(new Set([token, ...others]).size).toBe(4);
});

test("runner credentials are random, and stored as their hash", () => {
  const credential = newRunnerCredential();
  expect(credential).toMatch(/^svc_runner_[\w-]{43}$/);
  expect(newRunnerCredential()).not.toBe(credential);
  expect(hashCredential(credential)).toHaveLength(32);
});
