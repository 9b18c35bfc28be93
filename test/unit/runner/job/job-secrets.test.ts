import { expect, it } from "vitest";
import { engineImage, engineService, hiddenValues, stepSecrets } from "@forgeline/runner/job/job-secrets.ts";
import { buildLease, buildService, buildStep } from "../../../support/lease-spec.ts";

const secret = (name: string, env: string | null, file: string | null = null) => ({
  name,
  env,
  file,
  optional: false,
});
const lease = (job: Parameters<typeof buildLease>[0]["job"], secrets: Record<string, string>) => ({
  ...buildLease({ attemptId: "a", steps: [buildStep(0, "x")], token: "svc_job_token", job: job ?? {} }),
  secrets,
});

it("a step gets the job's and its own, as variables and as files; its own win", () => {
  const spec = lease(
    { secrets: [secret("A", "A"), secret("B", "B", "B_FILE"), secret("GONE", "GONE")] },
    { A: "value a", B: "value b", C: "value c" },
  );
  expect(stepSecrets(spec, { secrets: [secret("C", "A"), secret("A", null, "B")] })).toEqual({
    env: { A: "value c" },
    files: { B_FILE: "value b", B: "value a" },
  });
  expect(stepSecrets(spec, {})).toEqual({
    env: { A: "value a", B: "value b" },
    files: { B_FILE: "value b" },
  });
});

it("an image gets the credentials that it names", () => {
  const spec = lease({}, { BOTH: "me:pass:word\n", PASSWORD: "p4ssword" });
  const image = { name: "registry.example.com/a", user: null };
  const of = (auth: Parameters<typeof engineImage>[0]["auth"]) =>
    engineImage({ ...image, ...(auth && { auth }) }, spec).credentials;
  expect(of({ secret: "BOTH" })).toEqual({ username: "me", password: "pass:word" });
  expect(of({ username: "bot", password: "PASSWORD" })).toEqual({ username: "bot", password: "p4ssword" });
  expect(of(undefined)).toBeUndefined();
  expect(() => of({ secret: "PASSWORD" })).toThrow("user:password");
});

it("a service gets files and no variables", () => {
  const service = { ...buildService("db", "x"), secrets: [secret("A", null, "A_FILE")] };
  expect(engineService(service, lease({}, { A: "value a" }))).toMatchObject({
    env: {},
    files: { A_FILE: "value a" },
  });
});

it("hides the token, every value, and the password of credentials", () => {
  const image = { name: "registry.example.com/a", user: null, auth: { secret: "R" } };
  expect(hiddenValues(lease({ image }, { R: "user:p4ss:word", A: "value: a" }))).toEqual([
    "svc_job_token",
    "user:p4ss:word",
    "value: a",
    "p4ss:word",
  ]);
});
