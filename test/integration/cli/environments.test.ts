/** `forgeline environment`, and the variables and secrets of one. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { TestPerson } from "../../support/api-server.ts";
import { reachGates } from "../../support/approvals.ts";
import { insertDeployment } from "../../support/deployments.ts";
import { peopleAtTerminals, type PeopleAtTerminals } from "../../support/people-at-terminals.ts";

let people: PeopleAtTerminals;
let ada: TestPerson;
beforeAll(async () => {
  people = await peopleAtTerminals();
  ada = await people.server.person("ada", { isAdmin: true });
  await people.told(ada, "repo", "create", "code", "--readme");
});
afterAll(() => people?.stop());

const here = ["-R", "ada/code"];
const environment = (...args: string[]) => people.told(ada, "environment", ...args, ...here);
const cells = (text: string) =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => line.split("\t"));

test("one is protected, shown, listed and deleted", async () => {
  expect(await environment("list")).toBe("");
  const args = [
    "--branches",
    "main, release/*",
    "--approvers",
    "ada",
    "--no-self",
    "--refuse-older",
    "--wait",
    "10",
  ];
  const told = "branches main,release/*; 1 of ada approve; not by oneself; nothing older; wait 10 min";
  expect(await environment("protect", "production", ...args)).toBe(`production: ${told}\n`);
  expect(cells(await environment("list"))).toEqual([["production", "", "", "", told]]);
  const shown = await environment("show", "production");
  expect(shown).toContain("deployed\tnothing yet");
  expect(shown).toContain("/ada/code/environments/production");
  const changed = told.replace("1 of ada", "1 of ada,anyone with Maintain").replace("10 min", "5 min");
  const level = ["--level", "maintain", "--wait", "5"];
  expect(await environment("protect", "production", ...level)).toBe(`production: ${changed}\n`);
  const lifted = ["--lift", "branches,approvers", "--tags", "v*"];
  expect(await environment("protect", "production", ...lifted)).toBe(
    "production: tags v*; nothing older; wait 5 min\n",
  );
  expect(await environment("create", "production")).toBe(
    "production exists already; protection: tags v*; nothing older; wait 5 min\n",
  );
  expect(await environment("protect", "production", "--lift", "all")).toBe("production: none\n");
  const unknown = await people.as(ada, "environment", "protect", "production", "--lift", "x", ...here);
  expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining("--lift takes branches, tags")]);
  const asked = await people.as(ada, "environment", "delete", "production", ...here);
  expect([asked.code, asked.stderr]).toEqual([2, expect.stringContaining("Add --yes if you mean it.")]);
  expect(await environment("delete", "production", "--yes")).toBe("deleted production\n");
  await environment("create", "typed");
  const type = (text: string) =>
    people.cli.run(["environment", "delete", "typed", ...here], {
      terminal: true,
      typed: { after: "to go on: ", text },
      env: { FORGELINE_TOKEN: ada.token },
    });
  expect(await type("other\n")).toMatchObject({ code: 2 });
  for (const key of ["\u0003", "\u0004"]) expect(await type(key)).toMatchObject({ code: 2 });
  expect((await type("typed\n")).stdout).toContain("deleted typed");
  const gone = await people.as(ada, "environment", "show", "production", ...here);
  expect(gone.code).toBe(1);
  const wrong = await people.as(ada, "environment", "protect", "x", "--wait", "soon", ...here);
  expect([wrong.code, wrong.stderr]).toEqual([2, "error: --wait takes a whole number\n"]);
  const named = await people.as(ada, "environment", "protect", "a b", ...here);
  expect([named.code, named.stderr]).toEqual([2, expect.stringContaining("up to 100 letters, digits")]);
});

test("its variables and secrets are set beside those of the repository", async () => {
  expect(await environment("create", "staging")).toBe("staging is created; protection: none\n");
  const audit = ["audit", "list", "--instance", "--action", "environment.create"];
  expect(await people.told(ada, ...audit)).toContain("repository ada/code (environment staging)");
  const place = [...here, "--environment", "staging"];
  expect(await people.told(ada, "variable", "set", "REGION", "eu", ...place)).toBe(
    "REGION of staging in ada/code is set\n",
  );
  expect(cells(await people.told(ada, "variable", "list", ...place))[0]?.slice(0, 2)).toEqual([
    "REGION",
    "eu",
  ]);
  expect(await people.told(ada, "variable", "list", ...here)).toBe("");
  expect(await people.told(ada, "secret", "list", ...place)).toBe("");
  const both = await people.as(ada, "secret", "list", "--instance", "--environment", "staging");
  expect(both.code).toBe(2);
});

test("what was deployed is listed, and the version before the current one is deployed again", async () => {
  const { server } = people;
  const { db } = server.container.platform;
  const file = "image: busybox\nenvironment: live\nsteps: ['true']\n";
  const content = Buffer.from(file).toString("base64");
  const body = { message: "x", content, branch: "main" };
  const as = { token: ada.token };
  await server.api("PUT", "/repos/ada/code/contents/.forgeline.yml", { ...as, body });
  const none = await people.as(ada, "environment", "rollback", "live", ...here);
  expect(none.code).toBe(1);
  const run = async (sha: string) => {
    const { id } = (await server.api("POST", "/repos/ada/code/pipelines", { ...as, body: {} })).json;
    await db.query("update pipelines set status = 'success', finished_at = now(), sha = $2 where id = $1", [
      id,
      sha,
    ]);
    await db.query("update jobs set status = 'success' where pipeline_id = $1", [id]);
    return insertDeployment(db, { pipelineId: id as string, environment: "live" });
  };
  const [first, second] = [await run("a".repeat(40)), await run("b".repeat(40))];
  const rows = cells(await environment("deployments", "live"));
  expect(rows.map(([id, status, , commit, ref, by, , note]) => [id, status, commit, ref, by, note])).toEqual([
    [second, "success", "bbbbbbbb", "main", "ada", "current"],
    [first, "success", "aaaaaaaa", "main", "ada", undefined],
  ]);
  const shown = await environment("show", "live");
  expect(shown).toMatch(/^by\tada$/m);
  expect(shown).toMatch(/^changes\thttps:\S+\/ada\/code\/compare\/a{40}\.\.\.b{40}$/m);
  const figures = await environment("statistics", "live", "--days", "7");
  expect(figures).toMatch(/^\d deployments to live from \d{4}-\d\d-\d\d to \d{4}-\d\d-\d\d$/m);
  expect(figures).toMatch(/^deployed\t\S+ a day, \d a week$/m);
  expect(figures).toMatch(/^recovered from a failure\t/m);
  const long = await people.as(ada, "environment", "statistics", "live", "--days", "91", ...here);
  expect(long.code).toBe(2);
  expect(await environment("rollback", "live")).toMatch(/^run #\d+ deploys aaaaaaaa to live again: https:/);
  const again = await people.as(ada, "environment", "rollback", "live", first, ...here);
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining("has not finished")]);
});

test("who looks at an approval is told what a newer run has deployed meanwhile", async () => {
  const { server } = people;
  const { db } = server.container.platform;
  const content = Buffer.from("image: busybox\nenvironment: shop\nsteps: ['true']\n").toString("base64");
  const as = { token: ada.token };
  const body = { message: "x", content, branch: "main" };
  const there = ["-R", "ada/shop"];
  await people.told(ada, "repo", "create", "shop", "--readme");
  await server.api("PUT", "/repos/ada/shop/contents/.forgeline.yml", { ...as, body });
  await people.told(ada, "environment", "protect", "shop", "--count", "2", ...there);
  const begin = async () => (await server.api("POST", "/repos/ada/shop/pipelines", { ...as, body: {} })).json;
  const [old, next] = [await begin(), await begin()];
  await reachGates(server.container.pipelines.runs, old.id as string);
  expect(await people.told(ada, "pipeline", "view", String(old.number), ...there)).not.toContain("warning");
  const waits = `waiting\trun #${old.number}, job main: Waits for 2 approvals to deploy to shop by anyone with Write.`;
  expect(await people.told(ada, "environment", "show", "shop", ...there)).toContain(waits);
  await db.query("update pipelines set sha = $2 where id = $1", [next.id, "c".repeat(40)]);
  await insertDeployment(db, { pipelineId: next.id as string, environment: "shop" });
  const told = `warning: A newer run (#${next.number}, commit cccccccc) was deployed to shop on `;
  expect(await people.told(ada, "pipeline", "view", String(old.number), ...there)).toContain(told);
  const approved = await people.told(ada, "pipeline", "approve", String(old.number), ...there);
  expect(approved).toContain(told);
  expect(approved).toContain("; this one would replace it by an older one.\n");
  expect(approved).toContain("needs 1 more approval\n");
  expect(await people.told(ada, "pipeline", "approvals", String(old.number), ...there)).toContain(
    `job main to shop: ${told}`,
  );

  await db.query("update users set email = 'ada@example.org' where username = 'ada'");
  const back = await begin();
  await db.query("update pipelines set sha = $2 where id = $1", [back.id, "d".repeat(40)]);
  const before = await insertDeployment(db, { pipelineId: back.id as string, environment: "shop" });
  await db.query("update deployments set created_at = now() - interval '1 day' where id = $1", [before]);
  await reachGates(server.container.pipelines.runs, back.id as string);
  const rolls = `This rolls shop back to commit dddddddd: it replaces run #${next.number} (commit cccccccc), asked for by ada.`;
  expect(await people.told(ada, "pipeline", "view", String(back.number), ...there)).toContain(rolls);
  const awaited = await people.told(ada, "pipeline", "approvals");
  expect(awaited).toContain(`ada/shop#${back.number} job main to shop: ${rolls}`);
  expect(awaited).toMatch(/\tdddddddd x\t/);
  const mail = await db.one<{ id: string }>("select id from mails where subject like $1", [
    `%ada/shop#${back.number}`,
  ]);
  expect((await server.container.operation.mail.get(mail?.id ?? "")).text).toContain(rolls);
});
