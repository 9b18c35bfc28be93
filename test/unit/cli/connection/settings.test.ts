import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findConnection, keepLogin } from "@forgeline/cli/connection/settings.ts";

const kept = { url: "https://git.example.com", token: "svc_pat_kept", caFile: undefined };
let env: NodeJS.ProcessEnv;
beforeAll(async () => {
  const directory = await mkdtemp(join(tmpdir(), "forgeline-login-"));
  env = { XDG_CONFIG_HOME: directory, FORGELINE_HOME: join(directory, "no-instance") };
});
afterAll(() => rm(env["XDG_CONFIG_HOME"] ?? "", { recursive: true }));

test("a kept token goes to the server that it was given for, and to no other", async () => {
  const file = await keepLogin(kept, env);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await findConnection({}, env)).toMatchObject({ url: kept.url, token: kept.token });
  expect((await findConnection({ url: `${kept.url}/` }, env)).token).toBe(kept.token);
  const elsewhere = { url: "https://git.example.org" };
  expect((await findConnection(elsewhere, env)).token).toBeUndefined();
  expect((await findConnection({}, { ...env, FORGELINE_URL: elsewhere.url })).token).toBeUndefined();
  expect((await findConnection({ ...elsewhere, token: "svc_pat_given" }, env)).token).toBe("svc_pat_given");
});

test("a token is sent to https alone", async () => {
  for (const url of ["http://git.example.com", "git.example.com", "https://"])
    await expect(findConnection({ url }, env)).rejects.toThrow("must be https://HOST");
});
