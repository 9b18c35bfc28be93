import { createHash, generateKeyPairSync, sign, type KeyObject } from "node:crypto";
import { expect, test } from "vitest";
import { parseTrustedKeys } from "@forgeline/runner/signed-jobs/trusted-keys.ts";
import { verifyJob } from "@forgeline/runner/signed-jobs/verify-job.ts";
import type { JobStatement } from "@forgeline/schemas/runner-protocol/job-statement.ts";
import type { LeaseSpec } from "@forgeline/schemas/runner-protocol/lease.ts";
import { signedJobPrefix } from "@forgeline/schemas/runner-protocol/signed-job.ts";
import { buildLease, buildStep } from "../../../support/lease-spec.ts";

const pair = generateKeyPairSync("ed25519");
const lineOf = (key: KeyObject) =>
  `ed25519 ${key.export({ type: "spki", format: "der" }).subarray(12).toString("base64")}`;
const trusted = parseTrustedKeys(lineOf(pair.publicKey));
const now = 1_800_000_000_000;

function statementOf({ event: { changedPaths, ...event }, ...lease }: LeaseSpec): JobStatement {
  const {
    epoch: _epoch,
    token: _token,
    streams: _streams,
    limits: _limits,
    holdsSlot: _slot,
    ...signed
  } = lease;
  return {
    ...signed,
    version: 1,
    event,
    repository: "ada/demo",
    signedAtMs: now - 1000,
    validUntilMs: now + 1000,
    changedPathsHash: createHash("sha256").update(JSON.stringify(changedPaths)).digest("hex"),
  };
}

function signedLease(over: Partial<JobStatement> = {}, key = pair.privateKey): LeaseSpec {
  const lease = buildLease({ attemptId: "att_1", steps: [buildStep(0, "make")] });
  const payload = JSON.stringify({ ...statementOf(lease), ...over });
  const signature = sign(null, Buffer.from(signedJobPrefix + payload), key).toString("base64");
  return { ...lease, signed: { payload, signatures: [{ key: "sgk_1", signature }] } };
}

const whyOf = (lease: LeaseSpec, keys = trusted, at = now) => {
  const verdict = verifyJob(lease, keys, at);
  return verdict.ok ? null : verdict.why;
};

test("what a trusted key has signed is executed as it was signed", () => {
  const lease = signedLease();
  const verdict = verifyJob(lease, trusted, now);
  expect(verdict.ok && verdict.spec).toEqual({
    ...lease,
    ciEnv: { ...lease.ciEnv, CI_JOB_TOKEN: lease.token },
  });
});

test("addresses are those that were signed, whatever the lease says", () => {
  const lease = signedLease();
  const elsewhere = {
    ...lease,
    clone: { ...lease.clone, url: "https://evil.example/ada/demo.git" },
    ciEnv: { CI_REPO_URL: "https://evil.example/ada/demo.git", LD_PRELOAD: "/workspace/evil.so" },
  };
  const verdict = verifyJob(elsewhere, trusted, now);
  expect(verdict.ok && [verdict.spec.clone, verdict.spec.ciEnv]).toEqual([
    lease.clone,
    { ...lease.ciEnv, CI_JOB_TOKEN: lease.token },
  ]);
});

test.each<[string, (lease: LeaseSpec) => Partial<LeaseSpec>]>([
  ["job.steps[0].run", ({ job }) => ({ job: { ...job, steps: [buildStep(0, "curl evil")] } })],
  ["job.steps[1]", ({ job }) => ({ job: { ...job, steps: [...job.steps, buildStep(1, "curl evil")] } })],
  ["job.image.name", ({ job }) => ({ job: { ...job, image: { ...job.image, name: "evil:1" } } })],
  ["env.PATH", () => ({ env: { PATH: "/workspace" } })],
  ["needs.build", () => ({ needs: { build: { result: "success", outputs: { to: "evil" } } } })],
  ["matrix", () => ({ matrix: { os: "evil" } })],
  ["event.actor", ({ event }) => ({ event: { ...event, actor: "root" } })],
  ["event.changedPaths", ({ event }) => ({ event: { ...event, changedPaths: ["evil"] } })],
  ["clone", ({ clone }) => ({ clone: { ...clone, sha: "e".repeat(40) } })],
  ["attemptId", () => ({ attemptId: "att_2" })],
  ["attempt", () => ({ attempt: 2 })],
  ["repositoryId", () => ({ repositoryId: "repo_2" })],
])("a lease whose %s differs from what was signed is refused", (where, change) => {
  const lease = signedLease();
  expect(whyOf({ ...lease, ...change(lease) })).toContain(`(${where}`);
});

test("no signature, another key's, one of another text, and one that has expired are refused", () => {
  const { signed: _signed, ...unsigned } = signedLease();
  expect(whyOf(unsigned)).toContain("not signed");
  expect(whyOf(signedLease({}, generateKeyPairSync("ed25519").privateKey))).toContain("no key");
  const lease = signedLease();
  const payload = lease.signed?.payload.replace("make", "evil") ?? "";
  expect(whyOf({ ...lease, signed: { payload, signatures: lease.signed?.signatures ?? [] } })).toContain(
    "no key",
  );
  expect(whyOf(lease, trusted, now + 2000)).toContain("expired");
  expect(whyOf(lease, trusted, 0)).toBeNull();
  expect(whyOf(signedLease({ version: 2 as 1 }))).toContain("not a job that this runner understands");
});

test("a key may be trusted for some repositories only", () => {
  const keysFor = (repositories: string) => parseTrustedKeys(`${lineOf(pair.publicKey)} ${repositories}`);
  for (const fitting of ["Ada/demo", "ada/*", "eve/x ada/demo"])
    expect(whyOf(signedLease(), keysFor(fitting))).toBeNull();
  for (const other of ["ada/other", "eve/*", "repo_01jd4q5w6e7r8t9y0a1s2d3f4g"])
    expect(whyOf(signedLease(), keysFor(other))).toContain("does not trust its key for jobs of ada/demo");
});
