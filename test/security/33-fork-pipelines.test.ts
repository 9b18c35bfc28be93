/**
 * Row 33: what a pipeline of a fork tries to get at, and does not: secrets, tokens that write, caches that others read, privileged jobs,
 * deployments and other repositories, whoever has approved it. Judged where runs are made and shown, so that no runner is needed.
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import { cacheScopes } from "@forgeline/server/domains/pipelines/caches/scope.ts";
import { startApiServer, type ApiServer, type TestPerson } from "../support/api-server.ts";
import { branchesOver } from "../support/branches-over-rest.ts";
import { eventually } from "../support/eventually.ts";
import { bringFromFork, commitWithoutRef } from "../support/fork-merge-requests.ts";

const canary = "canary-5ec7e7-value";
const job = (keys: string, top = "") =>
  `${top}\njobs: { steal: { image: busybox, ${keys}, steps: ["env"] } }\n`;

/** What each tries, and what its run shows. */
const attempts: Readonly<Record<string, { text: string; shows: object }>> = {
  env: {
    text: job('env: { A: "${{ secrets.DEPLOY_KEY }}" }'),
    shows: { status: "error", error: { diagnostics: [{ code: "P207" }] } },
  },
  named: {
    text: job("secrets: [DEPLOY_KEY]"),
    shows: { foreseen: [{ reason: "secret_missing:DEPLOY_KEY", message: "Runs of forks get no secrets." }] },
  },
  include: {
    text: "jobs: { steal: { image: busybox, steps: [{ uses: ada/vault//t.yml@main }] } }\n",
    shows: { status: "error", error: { diagnostics: [{ code: "P502" }] } },
  },
  service: {
    text: job("services: { db: { image: x, secrets: [{ name: DEPLOY_KEY, file: KEY_FILE }] } }"),
    shows: { foreseen: [{ reason: "secret_missing:DEPLOY_KEY" }] },
  },
  matrix: {
    text: job('matrix: { a: ["${{ secrets.DEPLOY_KEY }}"] }'),
    shows: { status: "error", error: { diagnostics: [{ code: "P207" }] } },
  },
  artifact: {
    text: job("needs: [{ job: build, artifacts: [dist] }]"),
    shows: { status: "error", error: { diagnostics: [{ code: "P104" }] } },
  },
  token: {
    text: job("id_token: { CLOUD: sts.example.com }"),
    shows: { foreseen: [{ reason: "id_token_refused" }] },
  },
  write: {
    text: job("permissions: [repo:write]"),
    shows: {
      stages: [{ jobs: [{ permissions_limit: "Tokens of jobs only read in runs of forks." }] }],
    },
  },
  privileged: {
    text: job("privileged: true"),
    shows: { status: "error", error: { diagnostics: [{ code: "P421" }] } },
  },
  deploy: {
    text: job("environment: production, secrets: [DEPLOY_KEY]"),
    shows: { foreseen: [{ message: "Runs of forks get no secrets." }] },
  },
  event: {
    text: job("secrets: [DEPLOY_KEY]", "on: [pull_request_target]"),
    shows: { status: "error", error: { diagnostics: [{ code: "P103" }] } },
  },
  cache: { text: job("cache: [{ key: deps, paths: [deps], scope: repo }]"), shows: {} },
};

let server: ApiServer;
let ada: TestPerson;
let bob: TestPerson;
let repositoryId: string;
let forkId: string;
const R = "/repos/ada/app";
const as = (person: TestPerson) => (method: string, path: string, body?: unknown) =>
  server.api(method, path, { token: person.token, body });
const api: ReturnType<typeof as> = (...request) => as(ada)(...request);
const { branch } = branchesOver((...request) => api(...request), R);

beforeAll(async () => {
  server = await startApiServer();
  ada = await server.person("ada", { isAdmin: true });
  bob = await server.person("bob");
  const made = (name: string, visibility: string) =>
    api("POST", "/repos", { name, visibility, readme: true });
  repositoryId = (await made("app", "public")).json.id;
  await made("vault", "private");
  await branchesOver(api, "/repos/ada/vault").put("main", "t.yml", `steps: ["echo ${canary}"]\n`);
  forkId = (await as(bob)("POST", "/repos", { name: "app", readme: true })).json.id;
  await api("PUT", `${R}/secrets/DEPLOY_KEY`, { value: canary });
  await api("POST", `${R}/environments`, { name: "production" });
  await api("PUT", `${R}/environments/production/variables/PLACE`, { value: canary });
  await api("PUT", "/admin/privileged-repositories/ada/app");
});
afterAll(() => server?.stop());

it("none of twelve pipelines of a fork gets at anything, before an approval and after", async () => {
  const first = await branch("foreign", { "a.txt": "1" });
  const { number } = (await api("POST", `${R}/merge-requests`, { title: "x", source_branch: "foreign" }))
    .json;
  const files = Object.fromEntries(
    Object.entries(attempts).map(([name, { text }]) => [`.forgeline/${name}.yml`, text]),
  );
  const head = await commitWithoutRef(server, repositoryId, { parent: first, files });
  await bringFromFork(server, { repositoryId, number, head, forkId, userId: bob.id });
  const list = await eventually(async () => {
    await server.container.pipelines.mergeRequestRuns.makeDue(new AbortController().signal);
    const { json } = await api("GET", `${R}/pipelines?event=merge_request&per_page=100`);
    return json.length >= Object.keys(attempts).length && json;
  });
  const runs = new Map<string, string>(
    list.map((run: { id: string; pipeline: string }) => [run.pipeline.slice(11, -4), run.id]),
  );
  for (const [name, { shows }] of Object.entries(attempts)) {
    const { text, json } = await api("GET", `${R}/pipelines/${runs.get(name)}`);
    expect(json, name).toMatchObject(shows);
    expect(["error", "awaiting_approval"], name).toContain(json.status);
    expect(text, name).not.toContain(canary);
    // By the approval it gets nothing that it had not before.
    if (!["named", "write"].includes(name)) continue;
    const approved = await api("POST", `${R}/pipelines/${json.id}/approvals`, { decision: "approve" });
    expect([name, approved.status]).toEqual([name, 200]);
    expect((await api("GET", `${R}/pipelines/${json.id}`)).json, name).toMatchObject({
      ...shows,
      status: "created",
    });
  }
  const stored = await server.container.platform.db.query<{ trust: string; text: string }>(
    "select trust, concat(event, plan) as text from pipelines where repository_id = $1 and merge_request_number = $2 and source = 'merge_request' and sha = $3",
    [repositoryId, number, head],
  );
  expect(new Set(stored.map(({ trust }) => trust))).toEqual(new Set(["fork"]));
  expect(stored.map(({ text }) => text).join("")).not.toContain(canary);
});

it("what it saves in caches is found by runs of the same merge request alone", () => {
  const ref = "refs/merge-requests/7/head";
  const run = { trust: "fork", ref, defaultBranch: "main" } as const;
  for (const scope of ["branch", "repo"] as const) {
    const { own } = cacheScopes(run, scope);
    for (const other of ["refs/heads/main", "refs/merge-requests/8/head"])
      expect(cacheScopes({ ...run, trust: "own", ref: other }, scope).seen).not.toContain(own);
    expect(cacheScopes({ ...run, trust: "own" }, scope).seen).not.toContain(own);
  }
});
