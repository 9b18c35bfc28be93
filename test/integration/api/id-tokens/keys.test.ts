/** Keys of identity tokens: when they change, and what a restarted runner gets of tokens that were made before. */
import { createPublicKey, type JsonWebKey } from "node:crypto";
import jwt from "jsonwebtoken";
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

/** Tokens of a job that a runner has, and how they are made. */
async function jobOfRunner(name: string) {
  const ada = await server.person(`${name}-ada`);
  const { json: made } = await server.api("POST", "/repos", { token: ada.token, body: { name } });
  const { db } = server.container.platform;
  const { idTokenKeys } = server.container.pipelines;
  const tokens = createJobIdTokens({
    keys: idTokenKeys,
    issuer: server.webUrl,
    isProtected: async () => false,
  });
  const lease = async (number: number) => {
    const token = `svc_job_${name}_${number}`;
    const leased = { repositoryId: made.id as string, userId: ada.id, token, number };
    const attempt = {
      attemptId: await insertLeasedAttempt(db, leased),
      job: planJob({ key: "j", idTokens: [{ name: "CLOUD", audience: "cloud" }] }),
    };
    return { attempt, given: await db.transaction((tx) => tokens.give(tx, attempt)) };
  };
  return { db, tokens, lease };
}

/** The key that signed it, as a service finds out that has nothing but the published keys. */
async function signerOf({ CLOUD: token = "" }: Record<string, string>): Promise<string> {
  const { json } = await server.api("GET", "//.well-known/jwks.json");
  const { header } = jwt.decode(token, { complete: true }) ?? {};
  const key = (json.keys as (JsonWebKey & { kid: string })[]).find(({ kid }) => kid === header?.kid);
  if (!key) throw new Error("its key is not published");
  const publicKey = createPublicKey({ key, format: "jwk" });
  jwt.verify(token, publicKey, { algorithms: ["RS256"], issuer: server.webUrl, audience: "cloud" });
  return key.kid;
}

it("give a restarted runner the same tokens, until they are gone", async () => {
  const { db, tokens, lease } = await jobOfRunner("again");
  const { attempt, given } = await lease(1);
  expect(given["CLOUD"]).toMatch(/^eyJ[\w-]+\.[\w-]+\.[\w-]+$/);
  expect(await tokens.giveAgain(db, attempt)).toEqual(given);
  await db.query("delete from id_token_keys");
  expect(await tokens.giveAgain(db, attempt)).toEqual({});
});

it("are replaced by hand, and withdrawn where somebody may have seen one", async () => {
  const root = await server.person("root", { isAdmin: true });
  const keys = async (method: string, path: string, body?: object) => {
    const { status, json } = await server.api(method, `/admin/id-token-keys${path}`, {
      token: root.token,
      body,
    });
    expect(status, JSON.stringify(json)).toBe(200);
    return json.keys as { id: string; state: string }[];
  };
  const states = async () => (await keys("GET", "")).map(({ state }) => state);
  const { db, tokens, lease } = await jobOfRunner("seen");
  const before = await lease(1);
  const first = await signerOf(before.given);

  const [second] = await keys("POST", "/rotate", {});
  expect(await published()).toEqual([second?.id, first]);
  expect(await signerOf(before.given)).toBe(first);
  const between = await lease(2);
  expect(await signerOf(between.given)).toBe(second?.id);

  const { idTokenKeys } = server.container.pipelines;
  await idTokenKeys.rotate(new Date(Date.now() + 90.5 * day));
  expect(await states()).toEqual(["next", "current"]);
  const after = await keys("POST", "/rotate", { withdraw_earlier: true });
  expect(after.map(({ state }) => state)).toEqual(["withdrawn", "current", "withdrawn"]);
  expect(await published()).toEqual([after[1]?.id]);
  await expect(signerOf(between.given)).rejects.toThrow("not published");
  expect(await signerOf((await lease(3)).given)).toBe(after[1]?.id);
  // They mask the log of the job that has them.
  expect(await tokens.giveAgain(db, between.attempt)).toEqual(between.given);

  await idTokenKeys.rotate(new Date(Date.now() + 1.5 * day));
  expect(await states()).toEqual(["current"]);
});
