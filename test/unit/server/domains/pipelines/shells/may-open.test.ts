import { expect, test } from "vitest";
import {
  refusalOfJob,
  refusalOfMoment,
  refusalOfNumber,
  sharersOf,
} from "@forgeline/server/domains/pipelines/shells/may-open.ts";
import { planJob } from "../../../../../support/runs.ts";

const plain = planJob({ key: "build" });
const secret = [{ name: "KEY", env: "KEY", file: null, optional: true }];

test("a job with something of its own to hide is closed, unless its environment allows it", () => {
  const judge = (job: Partial<typeof plain>, allowShell = false) =>
    refusalOfJob({ trust: "own", job: { ...plain, ...job }, allowShell, sharers: [] });
  expect(judge({})).toBeNull();
  expect(judge({ secrets: secret })).toMatch(/secrets or identity tokens/);
  expect(judge({ idTokens: [{ name: "T", audience: "a" }] })).toMatch(/secrets or identity tokens/);
  const image = { name: "busybox", user: null, auth: { secret: "LOGIN" } };
  expect(judge({ image })).toMatch(/secrets or identity tokens/);
  expect(judge({ secrets: secret, environment: { name: "prod", url: null } })).toMatch(/environment prod/);
  expect(judge({ secrets: secret }, true)).toBeNull();
});

test("a job is closed too where another that works in its workspace has something to hide", () => {
  const shares = { workspace: "stage", stage: "ship" } as const;
  const build = planJob({ key: "build", ...shares });
  const publish = { job: planJob({ key: "publish", ...shares, secrets: secret }), allowShell: false };
  const judge = (job: typeof build, ...others: { job: typeof build; allowShell: boolean }[]) =>
    refusalOfJob({ trust: "own", job, allowShell: false, sharers: sharersOf(job, others) });
  expect(judge(build, publish)).toMatch(/^The job shares its workspace with publish, which uses secrets/);
  const deploying = { ...publish.job, environment: { name: "prod", url: null } };
  expect(judge(build, { job: deploying, allowShell: false })).toMatch(/the environment prod does not allow/);
  expect(judge(build, { job: deploying, allowShell: true })).toBeNull();
  expect(judge(build, { ...publish, allowShell: true }, publish)).toMatch(/with publish/);
  const alone = planJob({ key: "alone", stage: "ship" });
  expect(judge(alone, publish)).toBeNull();
  expect(judge(build, { ...publish, job: { ...publish.job, stage: "other" } })).toBeNull();
  expect(
    judge(build, { ...publish, job: planJob({ key: "own", stage: "ship", secrets: secret }) }),
  ).toBeNull();
});

test("commits from elsewhere get none, whatever the environment says", () => {
  for (const trust of ["fork", "unknown_author"] as const)
    expect(refusalOfJob({ trust, job: plain, allowShell: true, sharers: [] })).toMatch(/not opened in runs/);
});

test("there has to be a runner that has begun and answers", () => {
  const held = {
    status: "running",
    isLeased: true,
    isStarted: true,
    unreachable: false,
    isStopping: false,
  } as const;
  expect(refusalOfMoment(held)).toBeNull();
  expect(refusalOfMoment({ ...held, isLeased: null, status: "queued" })).toMatch(/this one is queued/);
  expect(refusalOfMoment({ ...held, isStarted: false })).toMatch(/needs a running job/);
  expect(refusalOfMoment({ ...held, unreachable: true })).toMatch(/does not answer/);
  expect(refusalOfMoment({ ...held, isStopping: true })).toMatch(/being stopped/);
});

test("each limit has its own words", () => {
  const most = { job: 1, user: 2, instance: 3 };
  expect(refusalOfNumber({ job: 0, user: 1, instance: 2 }, most)).toBeNull();
  expect(refusalOfNumber({ job: 1, user: 1, instance: 1 }, most)).toMatch(/1 shells are open in this job/);
  expect(refusalOfNumber({ job: 0, user: 2, instance: 2 }, most)).toMatch(/You have 2 shells open/);
  expect(refusalOfNumber({ job: 0, user: 0, instance: 3 }, most)).toMatch(/on this instance/);
});
