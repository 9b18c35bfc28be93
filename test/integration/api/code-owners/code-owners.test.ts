/** CODEOWNERS at the front door: which file counts, who owns what, what is wrong with it, and who may know that. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { TestPerson } from "../../../support/api-server.ts";
import { peopleAtTerminals, type PeopleAtTerminals } from "../../../support/people-at-terminals.ts";

let people: PeopleAtTerminals;
let olga: TestPerson;
let mia: TestPerson;
let wes: TestPerson;
let eve: TestPerson;
let folder: string;
const R = "/repos/acme/app";

const send = async (person: TestPerson | undefined, method: string, path: string, body?: object) => {
  const { token } = person ?? {};
  return people.server.api(method, path, { ...(token ? { token } : {}), ...(body ? { body } : {}) });
};
const done = async (...request: Parameters<typeof send>) => {
  const answer = await send(...request);
  if (answer.status >= 300) throw new Error(`${request[1]} ${request[2]}: ${answer.status} ${answer.text}`);
  return answer.json;
};
const commit = (path: string, text: string) =>
  done(olga, "PUT", `${R}/contents/${path}`, {
    message: path,
    content: Buffer.from(text).toString("base64"),
    branch: "main",
  });
const errorsFor = async (person: TestPerson | undefined) => {
  const { json } = await send(person, "GET", `${R}/codeowners/errors`);
  return json.errors.map(
    ({ line, column, kind }: { line: number; column: number; kind: string }) => `${line}:${column} ${kind}`,
  ) as string[];
};
const ownersOf = async (person: TestPerson | undefined, path: string) =>
  (await send(person, "GET", `${R}/codeowners/owners?path=${encodeURIComponent(path)}`)).json;

/** Lines 1 to 9. */
const text = `* @olga @Wes
*.md @acme/writers @nobody-here
/secret/ @acme/hidden
/read/ @mia
/other/ @beta/team
/mail/ wes@users.noreply.invalid
[Data][2]
/db/ @acme/writers
!x
`;

beforeAll(async () => {
  people = await peopleAtTerminals();
  [olga, mia, wes, eve] = (await Promise.all(
    ["olga", "mia", "wes", "eve"].map((name) => people.server.person(name)),
  )) as [TestPerson, TestPerson, TestPerson, TestPerson];
  await done(olga, "POST", "/orgs", { name: "acme" });
  await done(olga, "PUT", "/orgs/acme/members/mia", { role: "member" });
  await done(olga, "POST", "/repos", { owner: "acme", name: "app", visibility: "public" });
  for (const [name, visibility] of [
    ["writers", "visible"],
    ["hidden", "secret"],
    ["idle", "visible"],
  ]) {
    await done(olga, "POST", "/orgs/acme/teams", { name, visibility });
    if (name !== "idle")
      await done(olga, "PUT", `/orgs/acme/teams/${name}/repos/app`, { permission: "write" });
  }
  await done(olga, "PUT", `${R}/collaborators/wes`, { permission: "write" });
  folder = await mkdtemp(join(tmpdir(), "code-owners-"));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await people?.stop();
});

test("without a file nobody owns anything, and there is nothing to check", async () => {
  expect(await ownersOf(olga, "a.md")).toEqual({ file: null, path: "a.md", rules: [] });
  await commit("README.md", "x");
  expect(await ownersOf(olga, "a.md")).toEqual({ file: null, path: "a.md", rules: [] });
  expect((await send(olga, "GET", `${R}/codeowners/errors`)).status).toBe(404);
  expect((await send(olga, "GET", `${R}/codeowners/owners?ref=none`)).status).toBe(404);
});

describe("with a file", () => {
  beforeAll(async () => {
    await commit("docs/CODEOWNERS", "* @mia\n");
    await commit("CODEOWNERS", text);
  });

  test("the first place counts, and the last line that matches; sections ask for themselves", async () => {
    expect(await ownersOf(olga, "src/a.ts")).toEqual({
      file: "CODEOWNERS",
      path: "src/a.ts",
      rules: [
        {
          line: 1,
          pattern: "*",
          section: null,
          optional: false,
          approvals: 1,
          owners: [
            { type: "user", name: "@olga", username: "olga", team: null },
            { type: "user", name: "@Wes", username: "wes", team: null },
          ],
        },
      ],
    });
    expect((await ownersOf(olga, "db/a.md")).rules).toMatchObject([
      { line: 2, owners: [{ team: "acme/writers" }, { name: "@nobody-here", username: null }] },
      { line: 8, section: "Data", approvals: 2, owners: [{ team: "acme/writers" }] },
    ]);
    expect((await ownersOf(olga, "mail/a")).rules).toMatchObject([
      { line: 6, owners: [{ type: "email", username: "wes" }] },
    ]);
    expect((await send(olga, "GET", `${R}/codeowners/owners`)).json).toEqual({
      file: "CODEOWNERS",
      path: null,
      rules: [],
    });
  });

  test("errors have their place, and an owner without write access is as one who does not exist", async () => {
    expect(await errorsFor(olga)).toEqual([
      "2:20 unknown_owner",
      "4:8 unknown_owner",
      "5:9 unknown_owner",
      "9:1 invalid_pattern",
    ]);
    const { json } = await send(olga, "GET", `${R}/codeowners/errors`);
    expect(json).toMatchObject({ path: "CODEOWNERS", total: 4 });
    expect(json.errors[1]).toMatchObject({
      message: "@mia does not exist or has no write access to the repository",
      source: "/read/ @mia",
      suggestion: null,
    });
    expect(json.errors[3]).toMatchObject({ source: "!x", suggestion: "x" });
  });

  test("a secret team is unknown to those who do not see it, and outsiders learn nothing of teams", async () => {
    expect(await errorsFor(mia)).toEqual([
      "2:20 unknown_owner",
      "3:10 unknown_owner",
      "4:8 unknown_owner",
      "5:9 unknown_owner",
      "9:1 invalid_pattern",
    ]);
    expect((await ownersOf(mia, "secret/a")).rules).toMatchObject([{ owners: [{ team: null }] }]);
    expect((await ownersOf(olga, "secret/a")).rules).toMatchObject([{ owners: [{ team: "acme/hidden" }] }]);
    for (const outsider of [eve, undefined]) {
      expect(await errorsFor(outsider)).toEqual(await errorsFor(olga));
      expect((await ownersOf(outsider, "a.md")).rules[0].owners[0]).toMatchObject({ team: null });
    }
    const asked = { content: "/a @acme/idle @acme/none\n" };
    const { total } = await done(wes, "POST", `${R}/codeowners/check`, asked);
    expect(total).toBe(0);
    expect((await done(olga, "POST", `${R}/codeowners/check`, asked)).total).toBe(2);
    expect((await send(mia, "POST", `${R}/codeowners/check`, asked)).status).toBe(403);
  });

  test("the command line checks a file before it is committed, and one on the server", async () => {
    const file = join(folder, "CODEOWNERS");
    await writeFile(file, "*.js js-owner\n/a @mia\n");
    const offline = await people.as(olga, "codeowners", "check", file);
    expect(offline.code).toBe(1);
    expect(offline.stdout).toContain(`CODEOWNERS:1:6: "js-owner" is no owner`);
    expect(offline.stdout).toContain("  *.js js-owner\n       ^\n");
    expect(offline.stdout).toContain("CODEOWNERS: 1 error\nOwners were not looked up: ");
    const asked = await people.as(olga, "codeowners", "check", file, "-R", "acme/app");
    expect([asked.code, asked.stdout]).toEqual([1, expect.stringContaining("CODEOWNERS: 2 errors\n")]);
    const there = await people.as(olga, "codeowners", "check", "--ref", "main", "-R", "acme/app");
    expect([there.code, there.stdout]).toEqual([1, expect.stringContaining("CODEOWNERS: 4 errors\n")]);
    await writeFile(file, "* @olga\n");
    expect(await people.told(olga, "codeowners", "check", file, "-R", "acme/app")).toBe(
      `✓ ${file}: no errors\n`,
    );
  });

  test("the command line shows owners", async () => {
    const table = await people.told(olga, "codeowners", "owners", "a.md", "db/x", "-R", "acme/app");
    expect(table).toBe(
      [
        "a.md\t@acme/writers @nobody-here\tCODEOWNERS:2\t*.md\t",
        "db/x\t@olga @Wes\tCODEOWNERS:1\t*\t",
        "db/x\t@acme/writers\tCODEOWNERS:8\t/db/\tData\n",
      ].join("\n"),
    );
  });

  test("a file that is too large, or takes too long to compare, says so", async () => {
    await commit(".forgeline/CODEOWNERS", "a".repeat(3 * 1024 * 1024 + 1));
    expect(await errorsFor(olga)).toEqual(["1:1 file_too_large"]);
    expect((await ownersOf(olga, "a.md")).rules).toEqual([]);
    const line = `/*${"a".repeat(2000)}b* @olga\n`;
    const { sha } = await done(olga, "GET", `${R}/contents/.forgeline/CODEOWNERS`);
    await done(olga, "PUT", `${R}/contents/.forgeline/CODEOWNERS`, {
      message: "slow",
      content: Buffer.from(line.repeat(100)).toString("base64"),
      branch: "main",
      sha,
    });
    const slow = await send(olga, "GET", `${R}/codeowners/owners?path=${"a".repeat(4000)}`);
    expect([slow.status, slow.json.message]).toEqual([422, expect.stringContaining("take too long")]);
  });
});
