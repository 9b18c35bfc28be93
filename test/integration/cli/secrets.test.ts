/** `forgeline secret`: values come from a pipe or a prompt, and are never printed. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { TestPerson } from "../../support/api-server.ts";
import { giveCredentials } from "../../support/give-credentials.ts";
import { peopleAtTerminals, type PeopleAtTerminals } from "../../support/people-at-terminals.ts";
import { planJob, planOf } from "../../support/runs.ts";
import { runInRows } from "../../support/web/run-in-rows.ts";

let people: PeopleAtTerminals;
let ada: TestPerson;
beforeAll(async () => {
  people = await peopleAtTerminals();
  ada = await people.server.person("ada", { isAdmin: true });
  await people.told(ada, "repo", "create", "code");
  await people.told(ada, "org", "create", "acme");
});
afterAll(() => people?.stop());

const secret = (...args: string[]) => people.told(ada, "secret", "-R", "ada/code", ...args);
const set = (input: string, ...args: string[]) =>
  people.cli.run(["secret", "-R", "ada/code", "set", ...args], {
    input,
    env: { FORGELINE_TOKEN: ada.token },
  });

/** What was stored: no operation tells. */
async function stored(name: string): Promise<string> {
  const { db, instanceKeys } = people.server.container.platform;
  const row = await db.one<{ id: string; sealed_value: Buffer }>(
    "select v.id, v.sealed_value from secret_values v join secrets s on s.id = v.parent_id where s.name = $1 and v.is_current",
    [name],
  );
  return instanceKeys
    .encryption("pipeline_secret")
    .decrypt(row?.id ?? "", row?.sealed_value ?? Buffer.alloc(0));
}

test("is set from a pipe with its limits, listed, and deleted", async () => {
  const done = await set(
    "a token of one line\n",
    "TOKEN",
    "--branches",
    "main, release/*",
    "--events",
    "push",
  );
  expect(done).toMatchObject({ code: 0, stdout: "set TOKEN of ada/code\n" });
  expect(await stored("TOKEN")).toBe("a token of one line");
  expect(await secret("list")).toMatch(/^TOKEN\tbranches main,release\/\* events push\t\S+Z\tnever\n$/);
  expect(await secret("uses", "TOKEN")).toBe("");
  expect(await secret("delete", "TOKEN")).toBe("deleted TOKEN of ada/code\n");
  expect(await secret("list")).toBe("");
});

test("is limited to images and environments, and where it is shared to repositories", async () => {
  const limits = ["--images", "acme/*, alpine", "--environments", "prod*"];
  expect((await set("a long enough value", "LIMITED", ...limits)).code).toBe(0);
  expect(await secret("list")).toMatch(/^LIMITED\timages acme\/\*,alpine environments prod\*\t/);
  await secret("delete", "LIMITED");
  const shared = ["--org", "acme", "--repositories", "shop,web-*"];
  expect((await set("a long enough value", "LIMITED", ...shared)).code).toBe(0);
  expect(await secret("list", "--org", "acme")).toMatch(/^LIMITED\trepositories shop,web-\*\t/);
  await secret("delete", "LIMITED", "--org", "acme");
  const own = await set("a long enough value", "LIMITED", "--repositories", "shop");
  expect([own.code, own.stderr]).toEqual([1, expect.stringContaining("Only secrets of an organization")]);
});

test("keeps the last line ending of a key, and asks for nothing on the command line", async () => {
  const key = "-----BEGIN KEY-----\nabcdef\n-----END KEY-----\n";
  expect((await set(key, "KEY")).code).toBe(0);
  expect(await stored("KEY")).toBe(key);
  const { code, stderr } = await set("", "KEY", "a value on the command line");
  expect([code, stderr]).toEqual([2, expect.stringContaining("too many arguments")]);
});

test("belongs to an organization or the instance where that is said", async () => {
  for (const [place, ofOwner] of [
    [["--org", "acme"], "of acme"],
    [["--instance"], "of the instance"],
  ] as const) {
    expect((await set("a long enough value", "SHARED", ...place)).stdout).toBe(`set SHARED ${ofOwner}\n`);
    expect(await secret("list", ...place)).toMatch(/^SHARED\tnone\t/);
    expect(await secret("delete", "SHARED", ...place)).toBe(`deleted SHARED ${ofOwner}\n`);
  }
  const both = await people.as(ada, "secret", "list", "--org", "acme", "--instance");
  expect([both.code, both.stderr]).toEqual([2, expect.stringContaining("exclude each other")]);
});

test("of a job are shown with its run, and so is that one will be missing", async () => {
  const wanted = { name: "NOWHERE", env: "NOWHERE", file: null, optional: false };
  const plan = planOf([planJob({ key: "ship", secrets: [wanted] }), planJob({ key: "plain" })]);
  const run = await runInRows(people.server, ada, { name: "shown", plan });
  await run.begin("plain", ["work"]);
  await giveCredentials(people.server.container.platform.db, run.id);
  const view = ["pipeline", "-R", "ada/shown", "view", run.id];
  const shown = await people.told(ada, ...view, "--credentials");
  expect(shown).toContain("attempt 1: secret NPM_TOKEN of the organization\n");
  expect(shown).toContain("attempt 1: identity token CLOUD for sts.example.com\n");
  const plainly = await people.told(ada, ...view);
  expect(plainly).not.toContain("NPM_TOKEN");
  expect(plainly).toContain(
    "ship will end with an error unless this changes: The secret NOWHERE does not exist.",
  );
  const reader = await people.server.person("reader");
  const path = "/repos/ada/shown/pipelines/1/credentials";
  await people.server.api("PUT", "/repos/ada/shown/collaborators/reader", {
    token: ada.token,
    body: { permission: "read" },
  });
  expect((await people.server.api("GET", path, { token: reader.token })).status).toBe(403);
});

test("what the server refuses is said, without the value", async () => {
  const { code, stderr } = await set("tiny", "SMALL");
  expect([code, stderr]).toEqual([1, expect.stringContaining("At least 6 characters.")]);
  expect(stderr).not.toContain("tiny");
});
