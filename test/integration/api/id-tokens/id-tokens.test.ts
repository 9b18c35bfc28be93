/** Identity tokens of jobs: what they say, and that others can verify them. */
import { createPublicKey, type JsonWebKey } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { get } from "node:https";
import { json } from "node:stream/consumers";
import jwt, { type JwtPayload } from "jsonwebtoken";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Pipeline } from "@forgeline/schemas/pipelines/resource.ts";
import { readFigures, risen } from "../../../support/figures.ts";
import { createProject, jobOf, type Project } from "../../../support/project.ts";
import { sharedInstance, type SharedInstance } from "../../../support/shared-instance.ts";

let instance: SharedInstance;
let project: Project;
beforeAll(async () => {
  instance = await sharedInstance();
  project = await createProject(instance, "deployer");
});
afterAll(() => project?.remove());

type Keys = { keys: (JsonWebKey & { kid: string })[] };

async function read<T>(address: string): Promise<T> {
  const options = { ca: await readFile(instance.certificates.caFile) };
  const answer = await new Promise<IncomingMessage>((resolve, reject) =>
    get(address, options, resolve).on("error", reject),
  );
  return (await json(answer)) as T;
}

/** As a service does that trusts this instance: with nothing but its address and a library that is not ours. */
async function verify(token: string, audience: string): Promise<JwtPayload> {
  const { issuer, jwks_uri: address } = await read<{ issuer: string; jwks_uri: string }>(
    `${instance.url}/.well-known/openid-configuration`,
  );
  const { keys } = await read<Keys>(address);
  const { header } = jwt.decode(token, { complete: true }) ?? {};
  const key = keys.find(({ kid }) => kid === header?.kid);
  if (!key) throw new Error("its key is not published");
  const publicKey = createPublicKey({ key, format: "jwk" });
  return jwt.verify(token, publicKey, { algorithms: ["RS256"], issuer, audience }) as JwtPayload;
}

const job = (more: object) =>
  `${JSON.stringify({ jobs: { ship: { image: "forgeline/base:1", clone: false, ...more } } })}\n`;
/** Backwards, a token is not masked. */
const showsTokens = 'printf %s "$CLOUD" | rev; echo; printf %s "$VAULT" | rev; echo; echo "plain $CLOUD"';

async function tokensIn(run: Pipeline): Promise<string[]> {
  const lines = (await project.log(run, "job=ship&step=0")).toString().split("\n");
  return lines.slice(0, 2).map((line) => line.split("").reverse().join(""));
}

it("tell a service which job of which run asks, and are masked", async () => {
  await instance.api("POST", `${project.path}/branch-protections`, { pattern: "release/*" });
  await instance.api("PUT", `${project.path}/environments/production`, {});
  const figures = () => readFigures([instance.servers[0]?.metricsUrl ?? ""]);
  const before = await figures();
  const run = await project.runFile(
    job({
      timeout: "10m",
      environment: "production",
      id_token: { CLOUD: "sts.example.com", VAULT: "https://vault.example.com" },
      steps: [showsTokens],
    }),
    { branch: "release/1" },
  );
  expect(run.status, JSON.stringify(run.stages)).toBe("success");
  const counted = {
    forgeline_id_tokens_issued_total: 2,
    'forgeline_deployment_seconds_count{outcome="success"}': 1,
  };
  expect(risen(before, await figures(), Object.keys(counted))).toEqual(counted);
  const [cloud = "", vault = ""] = await tokensIn(run);
  const claims = await verify(cloud, "sts.example.com");
  expect(claims).toMatchObject({
    iss: instance.url,
    sub: `repo:${project.fullName}:environment:production`,
    environment: "production",
    repository: project.fullName,
    repository_id: project.id,
    repository_owner: project.fullName.split("/")[0],
    repository_visibility: "private",
    ref: "refs/heads/release/1",
    ref_type: "branch",
    protected: true,
    sha: run.sha,
    event: "push",
    run_id: run.id,
    run_number: run.number,
    pipeline: ".forgeline.yml",
    stage: "main",
    job: "ship",
    job_id: jobOf(run, "ship").id,
    attempt: 1,
  });
  expect(Number(claims.exp) - Number(claims.iat)).toBe(15 * 60);
  expect((await verify(vault, "https://vault.example.com")).jti).not.toBe(claims.jti);
  await expect(verify(vault, "sts.example.com")).rejects.toThrow("audience");
  expect((await project.log(run)).toString()).toContain("plain ***\n");
  const ofJob = `${project.path}/pipelines/${run.id}/credentials?job=${jobOf(run, "ship").id}`;
  const made = {
    issued_at: expect.any(String),
    expires_at: new Date(Number(claims.exp) * 1000).toISOString(),
  };
  expect(await instance.api("GET", ofJob)).toMatchObject([
    {
      job: "ship",
      attempt: 1,
      secrets: [],
      id_tokens: [
        { name: "CLOUD", audience: "sts.example.com", ...made },
        { name: "VAULT", audience: "https://vault.example.com", issued_at: expect.any(String) },
      ],
    },
  ]);
  // Whoever may push can name an environment that nobody has made.
  const unbound = await project.runFile(
    job({
      environment: "staging",
      id_token: { CLOUD: "sts.example.com", VAULT: "v" },
      steps: [showsTokens],
    }),
  );
  const [ofRef = ""] = await tokensIn(unbound);
  const { sub, environment, ...others } = await verify(ofRef, "sts.example.com");
  expect([sub, environment]).toEqual([`repo:${project.fullName}:ref:${unbound.ref}`, undefined]);
  expect(others).toMatchObject({ protected: false, sha: unbound.sha });
  const described = await read<{ claims_supported: string[] }>(
    `${instance.url}/.well-known/openid-configuration`,
  );
  expect(described.claims_supported).toEqual(Object.keys(claims));
});
