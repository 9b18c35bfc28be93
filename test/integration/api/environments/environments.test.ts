/** Environments over REST: created, protected, listed, deleted; their variables and secrets; deployments and going back. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { TestPerson } from "../../../support/api-server.ts";
import { insertDeployment } from "../../../support/deployments.ts";
import { startScheduleBed, type ScheduleBed } from "../../../support/schedule-bed.ts";

let bed: ScheduleBed;
let ben: TestPerson;
let wil: TestPerson;
const at = "/repos/acme/app";
beforeAll(async () => {
  bed = await startScheduleBed();
  [ben, wil] = await Promise.all([bed.server.person("ben"), bed.server.person("wil")]);
  await bed.send("POST", "/orgs", { name: "acme" });
  await bed.send("POST", "/orgs/acme/teams", { name: "release" });
  await bed.send("POST", "/repos", { owner: "acme", name: "app", readme: true });
  await bed.send("PUT", `${at}/collaborators/wil`, { permission: "write" });
  await bed.write(at, ".forgeline.yml", file);
});
afterAll(() => bed?.close());

const file = `jobs:
  ship:
    image: busybox
    environment: production
    env: { SHOWN: "\${{ vars.ONLY_HERE }}" }
    steps: ['true']
`;
const put = (name: string, protection: object = {}, person?: TestPerson) =>
  bed.send("PUT", `${at}/environments/${name}`, { protection }, person);
const plan = async (body: object = {}) => (await bed.send("POST", `${at}/pipelines/plan`, body)).json;

describe("an environment", () => {
  test("is created with its protection, changed, listed, and deleted", async () => {
    const made = await put("staging", { branches: ["main"], approvers: ["ben", "acme/release"] });
    expect(made.status).toBe(201);
    expect(made.json).toMatchObject({
      name: "staging",
      protection: {
        branches: ["main"],
        tags: [],
        approvers: ["ben", "acme/release"],
        level: null,
        count: 1,
        allow_self: true,
        wait_minutes: 0,
        refuse_older: false,
      },
      current: null,
      web_url: expect.stringContaining("/acme/app/environments/staging") as string,
    });
    const changed = await put("STAGING", { wait_minutes: 5, refuse_older: true });
    expect(changed.status).toBe(204);
    expect((await bed.send("GET", `${at}/environments/staging`)).json).toMatchObject({
      id: made.json.id,
      name: "staging",
      protection: { count: 0, wait_minutes: 5, refuse_older: true },
    });
    await put("alpha", { level: "maintain" });
    expect((await bed.send("GET", `${at}/environments/alpha`)).json).toMatchObject({
      protection: { approvers: [], level: "maintain", count: 1 },
    });
    const list = (await bed.send("GET", `${at}/environments`)).json as { name: string }[];
    expect(list.map(({ name }) => name)).toEqual(["alpha", "staging"]);
    for (const name of ["alpha", "staging"])
      expect((await bed.send("DELETE", `${at}/environments/${name}`)).status).toBe(204);
    expect((await bed.send("GET", `${at}/environments/staging`)).status).toBe(404);
    const log = (await bed.send("GET", "/orgs/acme/audit-log?action=environment.*")).json as object[];
    expect(log[0]).toMatchObject({ action: "environment.delete", details: { environment: "staging" } });
    expect(log).toContainEqual(
      expect.objectContaining({
        action: "environment.update",
        details: expect.objectContaining({
          before: expect.objectContaining({ count: 1 }) as object,
        }) as object,
      }),
    );
  });

  test("is refused with what cannot be meant, by the name of the field", async () => {
    for (const [protection, field] of [
      [{ approvers: ["nobody-here"] }, "protection.approvers"],
      [{ approvers: ["ben"], count: 2 }, "protection.count"],
      [{ approvers: ["ben"], count: 0 }, "protection.count"],
      [{ level: "maintain", count: 0 }, "protection.count"],
      [{ level: "read" }, "protection.level"],
      [{ approvers: ["not a name"] }, "protection.approvers.0"],
      [{ wait_minutes: 43_201 }, "protection.wait_minutes"],
      [{ count: 11 }, "protection.count"],
      [{ branches: ["a\0b"] }, "protection.branches.0"],
      [{ branch: ["main"] }, "protection"],
    ] as const) {
      const { status, json } = await put("bad", protection);
      expect([status, json.errors?.[0]?.field]).toEqual([422, expect.stringMatching(field)]);
    }
    expect((await put("a%2Fb")).status).toBe(404);
    expect((await bed.send("GET", `${at}/environments/bad`)).status).toBe(404);
  });

  test("belongs to maintainers; whoever reads the repository sees it", async () => {
    await put("seen", { count: 1 });
    expect((await put("mine", {}, wil)).status).toBe(403);
    expect((await bed.send("DELETE", `${at}/environments/seen`, undefined, wil)).status).toBe(403);
    expect((await bed.send("GET", `${at}/environments/seen`, undefined, wil)).status).toBe(200);
    expect((await bed.send("GET", `${at}/environments/seen`, undefined, ben)).status).toBe(404);
    for (const noun of ["variables", "secrets"]) {
      const value = { value: "a long value" };
      expect((await bed.send("PUT", `${at}/environments/seen/${noun}/KEY`, value, wil)).status).toBe(403);
      expect((await bed.send("GET", `${at}/environments/seen/${noun}`, undefined, wil)).status).toBe(200);
    }
  });

  test("is one of a hundred at most", async () => {
    await bed.database.query(
      `insert into environments (id, repository_id, name)
       select 'env_x' || n, r.id, 'many' || n from repositories r, generate_series(1, 100) n where r.name = 'app'`,
    );
    expect((await put("one-more")).status).toBe(409);
    expect((await put("many1", { count: 1 })).status).toBe(204);
    await bed.database.query("delete from environments where id like 'env_x%'");
  });
});

describe("variables and secrets of an environment", () => {
  test("win over the repository's, for jobs that deploy there, as the plan shows", async () => {
    await put("production");
    const here = `${at}/environments/Production/variables`;
    expect((await plan()).diagnostics).toMatchObject([{ code: "P202" }]);
    await bed.send("PUT", `${here}/ONLY_HERE`, { value: "x" });
    await bed.send("PUT", `${here}/BOTH`, { value: "of production" });
    await bed.send("PUT", `${at}/variables/BOTH`, { value: "of the repository" });
    await bed.send("PUT", `${here}/GIVEN`, { value: "of production" });
    expect((await bed.send("GET", here)).json).toMatchObject([
      { name: "BOTH", level: "environment" },
      { name: "GIVEN" },
      { name: "ONLY_HERE" },
    ]);
    const planned = await plan({ event: "manual", variables: { GIVEN: "now" } });
    expect(planned.valid).toBe(true);
    expect(planned.nodes).toContainEqual(
      expect.objectContaining({ name: "ship", environment: "production" }),
    );
    expect(planned.variables).toEqual([
      { name: "BOTH", value: "of the repository", level: "repository" },
      {
        name: "BOTH",
        value: "of production",
        level: "environment",
        environment: "production",
        jobs: ["ship"],
      },
      { name: "GIVEN", value: "now", level: "run" },
      { name: "ONLY_HERE", value: "x", level: "environment", environment: "production", jobs: ["ship"] },
    ]);
    expect((await bed.send("DELETE", `${here}/ONLY_HERE`)).status).toBe(204);
    expect((await bed.send("GET", `${at}/environments/none/variables`)).status).toBe(404);
    const none = await bed.send("PUT", `${at}/environments/none/variables/A`, { value: "x" });
    expect([none.status, none.json.message]).toEqual([
      404,
      expect.stringContaining("There is no environment none in acme/app. Create it"),
    ]);
  });

  test("are bounded for all environments of a repository together", async () => {
    const large = { value: "x".repeat(60_000) };
    for (const name of ["e1", "e2", "e3", "e4", "e5"]) await put(name);
    for (const name of ["e1", "e2", "e3", "e4"])
      expect((await bed.send("PUT", `${at}/environments/${name}/variables/LARGE`, large)).status).toBe(200);
    const refused = await bed.send("PUT", `${at}/environments/e5/variables/LARGE`, large);
    expect([refused.status, refused.json.message]).toEqual([
      409,
      expect.stringContaining("of all environments of the repository"),
    ]);
    expect((await bed.send("PUT", `${at}/environments/e1/variables/LARGE`, large)).status).toBe(200);
  });

  test("are set without being shown, and go with the environment", async () => {
    const path = `${at}/environments/production/secrets/KEY`;
    const value = "a value that is long enough";
    const made = await bed.send("PUT", path, { value, environments: ["prod*"] });
    expect(made.status).toBe(201);
    expect(made.json).toMatchObject({ name: "KEY", environments: ["prod*"] });
    expect((await bed.send("PUT", `${at}/secrets/KEY`, { value })).status).toBe(201);
    expect((await bed.send("GET", `${at}/environments/production/secrets`)).json).toMatchObject([
      { name: "KEY" },
    ]);
    expect((await bed.send("GET", `${path}/uses`)).json).toEqual([]);
    await bed.send("DELETE", `${at}/environments/production`);
    const left = await bed.database.query("select from secrets where environment_id is not null");
    expect(left).toEqual([]);
    expect((await bed.send("GET", `${at}/secrets`)).json).toMatchObject([{ name: "KEY" }]);
  });
});

test("deployments are listed newest first, and an earlier one is run again", async () => {
  await bed.send("PUT", `${at}/variables/ONLY_HERE`, { value: "x" });
  const run = (await bed.send("POST", `${at}/pipelines`, {})).json;
  const of = { pipelineId: run.id as string, environment: "live", url: "https://live.example.com" };
  const first = await insertDeployment(bed.database, of);
  const failed = await insertDeployment(bed.database, { ...of, status: "failed" });
  const list = (await bed.send("GET", `${at}/environments/live/deployments`)).json;
  expect(list).toMatchObject([
    { id: failed, status: "failed", is_current: false },
    {
      id: first,
      status: "success",
      is_current: true,
      actor: "ada",
      environment_url: of.url,
      pipeline: { id: run.id, number: run.number },
      job: { key: "ship" },
    },
  ]);
  expect((await bed.send("GET", `${at}/environments/live`)).json.current).toMatchObject({
    deployment: first,
    environment_url: of.url,
  });
  const back = (id: string, person?: TestPerson) =>
    bed.send("POST", `${at}/environments/live/deployments/${id}/rollback`, undefined, person);
  expect((await back(failed)).status).toBe(409);
  expect((await back(first)).json.message).toContain("has not finished");
  await bed.database.query("update pipelines set status = 'success', finished_at = now() where id = $1", [
    run.id,
  ]);
  await bed.database.query("update jobs set status = 'success', finished_at = now() where pipeline_id = $1", [
    run.id,
  ]);
  expect((await back(first, ben)).status).toBe(404);
  const again = await back(first, wil);
  expect([again.status, again.json.id]).toEqual([202, run.id]);
  const log = (await bed.send("GET", "/orgs/acme/audit-log?action=environment.rollback")).json as object[];
  expect(log[0]).toMatchObject({ details: { environment: "live", deployment: first, pipeline: run.number } });
});
