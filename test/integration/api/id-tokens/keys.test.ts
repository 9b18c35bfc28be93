/** Keys of identity tokens: when they change, and what a restarted runner gets of tokens that were made before. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { createJobIdTokens } from "@forgeline/server/domains/pipelines/id-tokens/job-id-tokens.ts";
import { startApiServer, type ApiServer } from "../../../support/api-server.ts";
import { insertLeasedAttempt } from "../../../support/leased-attempt.ts";
import { planJob } from "../../../support/runs.ts";

let server: ApiServer;
beforeAll(async () => void (server = await startApiServer()));
afterAll(() => server.stop());

const day = 24 * 60 * 60 * 1000;

async function published(): Promise<string[]> {
  const { status, headers, json } = await server.api("GET", "//.well-known/jwks.json");
  expect([status, headers["cache-control"]]).toEqual([200, "public, max-age=3600"]);
  const keys = json.keys as Record<string, string>[];
  for (const key of keys) expect(Object.keys(key).toSorted()).toEqual(["alg", "e", "kid", "kty", "n", "use"]);
  return keys.map(({ kid = "" }) => kid);
}

it("are replaced every 90 days, and published a day before and after", async () => {
  const { idTokenKeys } = server.container.pipelines;
  const [first] = await published();
  await idTokenKeys.rotate(new Date(Date.now() + 89 * day));
  expect(await published()).toEqual([first]);
  // A second server does the same at the same time.
  const then = new Date(Date.now() + 90 * day);
  await Promise.all([idTokenKeys.rotate(then), idTokenKeys.rotate(then)]);
  const [next, ...others] = await published();
  expect(others).toEqual([first]);
  const { db } = server.container.platform;
  expect(await db.transaction((tx) => idTokenKeys.currentId(tx))).toBe(first);
  await idTokenKeys.rotate(new Date(then.getTime() + 1.5 * day));
  expect(await published()).toEqual([next, first]);
  await idTokenKeys.rotate(new Date(then.getTime() + 2.5 * day));
  expect(await published()).toEqual([next]);
});

it("give a restarted runner the same tokens, until they are gone", async () => {
  const ada = await server.person("ada");
  const { json: made } = await server.api("POST", "/repos", { token: ada.token, body: { name: "again" } });
  const { db } = server.container.platform;
  const { idTokenKeys } = server.container.pipelines;
  const tokens = createJobIdTokens({
    keys: idTokenKeys,
    issuer: server.webUrl,
    isProtected: async () => false,
  });
  const leased = { repositoryId: made.id as string, userId: ada.id, token: "svc_job_again" };
  const attempt = {
    attemptId: await insertLeasedAttempt(db, leased),
    job: planJob({ key: "j", idTokens: [{ name: "CLOUD", audience: "cloud" }] }),
  };
  const given = await db.transaction((tx) => tokens.give(tx, attempt));
  expect(given["CLOUD"]).toMatch(/^eyJ[\w-]+\.[\w-]+\.[\w-]+$/);
  expect(await tokens.giveAgain(db, attempt)).toEqual(given);
  await db.query("delete from id_token_keys");
  expect(await tokens.giveAgain(db, attempt)).toEqual({});
});
