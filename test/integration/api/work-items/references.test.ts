/** What texts name: lines in the timeline of what is named, for those who may see them, and issues that merges and commits close. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";
import { branchesOver } from "../../../support/branches-over-rest.ts";
import { eventually } from "../../../support/eventually.ts";

let server: ApiServer;
let ada: TestPerson;
let grace: TestPerson;
const R = "/repos/ada/engine";
const other = "/repos/ada/secret";
beforeAll(async () => {
  server = await startApiServer();
  ada = await server.person("ada");
  grace = await server.person("grace");
  await api("POST", "/repos", { name: "engine", readme: true, private: false });
  await api("POST", "/repos", { name: "secret", readme: true, private: true });
});
afterAll(() => server?.stop());

const as = (person: TestPerson) => (method: string, path: string, body?: unknown) =>
  server.api(method, path, { token: person.token, body });
const api: ReturnType<typeof as> = (...request) => as(ada)(...request);
const { branch, put } = branchesOver((...request) => api(...request), R);

async function issue(title: string, body = "", place = R): Promise<number> {
  const made = await api("POST", `${place}/issues`, { title, body });
  expect([made.status, made.json.message]).toEqual([201, undefined]);
  return made.json.number;
}

const timeline = async (number: number, person = ada) =>
  (await as(person)("GET", `${R}/issues/${number}/timeline`)).json;
const stateOf = async (number: number, place = R) =>
  (await api("GET", `${place}/issues/${number}`)).json.state;

it("is said in the timeline of what is named, once for each source", async () => {
  const target = await issue("Crash");
  const source = await issue("Also a crash", `As in #${target}, or \`#${target + 100}\`.`);
  await api("POST", `${R}/issues/${source}/comments`, { body: `#${target} again, and #${source} itself` });
  expect(await timeline(target)).toMatchObject([
    {
      kind: "referenced",
      actor: { username: "ada" },
      source: {
        type: "issue",
        repository: "ada/engine",
        number: source,
        title: "Also a crash",
        state: "open",
        web_url: `${server.webUrl}/ada/engine/issues/${source}`,
      },
    },
  ]);
  expect(await timeline(source)).toEqual([]);
});

it("shows what is named in hidden repositories to those who see them", async () => {
  const target = await issue("Leak");
  const hidden = await issue("Secret cause", `Explains ada/engine#${target}`, other);
  expect(await timeline(target)).toMatchObject([
    { source: { repository: "ada/secret", number: hidden, title: "Secret cause" } },
  ]);
  const seen = await as(grace)("GET", `${R}/issues/${target}/timeline`);
  expect([seen.json, seen.headers["x-total-count"]]).toEqual([[], "0"]);
  const missing = await as(grace)("POST", `${R}/issues`, { title: "Probe", body: `ada/secret#${hidden}` });
  expect(missing.status).toBe(201);
  expect((await api("GET", `${other}/issues/${hidden}/timeline`)).json).toEqual([]);
});

it("tells a token of a private repository only of the kinds that it may read", async () => {
  const target = await issue("Hidden", "", other);
  await branchesOver(api, other).branch("topic", { "t.txt": "t\n" });
  const wanted = { title: "Hidden work", description: `See #${target}`, source_branch: "topic" };
  expect((await api("POST", `${other}/merge-requests`, wanted)).status).toBe(201);
  for (const [scopes, titles] of [
    [["issue:read"], []],
    [["issue:read", "mr:read"], ["Hidden work"]],
  ] as const) {
    const token = await server.tokenFor(ada, scopes);
    const { json, headers } = await server.api("GET", `${other}/issues/${target}/timeline`, { token });
    expect(json.map((each: { source: { title: string } }) => each.source.title)).toEqual(titles);
    expect(headers["x-total-count"]).toBe(`${titles.length}`);
  }
});

it("closes issues that a merge into the default branch fixes, also in other repositories of whoever merges", async () => {
  const fixed = await issue("Fix me");
  const named = await issue("Only named");
  const elsewhere = await issue("Fix me there", "", other);
  await branch("fix", { "fix.txt": "fixed\n" });
  const body = {
    title: "Repair it",
    source_branch: "fix",
    description: `Fixes #${fixed} and resolves ada/secret#${elsewhere}, see #${named}.`,
  };
  const { number } = (await api("POST", `${R}/merge-requests`, body)).json;
  expect(await stateOf(fixed)).toBe("open");
  const merged = await api("PUT", `${R}/merge-requests/${number}/merge`, {});
  expect([merged.status, merged.json.message]).toEqual([200, undefined]);
  expect([await stateOf(fixed), await stateOf(named), await stateOf(elsewhere, other)]).toEqual([
    "closed",
    "open",
    "closed",
  ]);
  expect((await timeline(fixed)).at(-1)).toMatchObject({
    kind: "closed",
    reason: "completed",
    source: { type: "merge_request", number, state: "merged" },
  });
});

it("says before a merge what it closes, to those who see that", async () => {
  const [described, committed] = [await issue("By description"), await issue("By commit")];
  const hidden = await issue("Hidden cause", "", other);
  await branch("closing", {});
  await put("closing", "closing.txt", "1\n", `Repair\n\nFixes #${committed}, ada/secret#${hidden}`);
  const description = `Fixes #${described}, closes ada/secret#${hidden}, see #${committed}`;
  const wanted = { title: "Closing", source_branch: "closing", description };
  const { number } = (await api("POST", `${R}/merge-requests`, wanted)).json;
  const titles = async (person: TestPerson) =>
    (await as(person)("GET", `${R}/merge-requests/${number}`)).json.closes.map(
      ({ title }: { title: string }) => title,
    );
  await eventually(async () => (await titles(grace)).length === 2);
  expect(await titles(grace)).toEqual(["By description", "By commit"]);
  expect(await titles(ada)).toEqual(["By description", "By commit", "Hidden cause"]);
  const closing = async (at: string) => (await api("GET", at)).json.closing_merge_requests;
  const shown = [{ repository: "ada/engine", number, title: "Closing", state: "open" }];
  for (const at of [`${R}/issues/${described}`, `${R}/issues/${committed}`, `${other}/issues/${hidden}`])
    expect(await closing(at)).toMatchObject(shown);
  const token = await server.tokenFor(grace, ["mr:read"]);
  const limited = await server.api("GET", `${R}/merge-requests/${number}`, { token });
  expect(limited.json.closes).toEqual([]);
  await branch("elsewhere", {});
  await api("PATCH", `${R}/merge-requests/${number}`, { target_branch: "elsewhere" });
  expect([await titles(ada), await closing(`${R}/issues/${described}`)]).toEqual([[], []]);
});

it("closes no issue of a repository where whoever merges may not write", async () => {
  await api("PUT", `${R}/collaborators/grace`, { permission: "write" });
  await api("PUT", `${other}/collaborators/grace`, { permission: "read" });
  const kept = await issue("Not hers", "", other);
  await branch("hers", { "hers.txt": "1\n" });
  const body = { title: "Hers", source_branch: "hers", description: `Closes ada/secret#${kept}` };
  const made = await as(grace)("POST", `${R}/merge-requests`, body);
  expect(made.status).toBe(201);
  // Nor is it said before, in either place.
  expect((await api("GET", `${R}/merge-requests/${made.json.number}`)).json.closes).toEqual([]);
  expect((await api("GET", `${other}/issues/${kept}`)).json.closing_merge_requests).toEqual([]);
  expect((await as(grace)("PUT", `${R}/merge-requests/${made.json.number}/merge`, {})).status).toBe(200);
  expect(await stateOf(kept, other)).toBe("open");
});

it("closes issues that a commit on the default branch fixes, and on no other branch", async () => {
  const fixed = await issue("Typo");
  await branch("later", {});
  await put("later", "later.txt", "1\n", `Fixes #${fixed}`);
  expect(await stateOf(fixed)).toBe("open");
  const commit = await put("main", "typo.txt", "typo\n", `Fix typo\n\nFixes: #${fixed}`);
  expect(await stateOf(fixed)).toBe("closed");
  expect((await timeline(fixed)).at(-1)).toMatchObject({ kind: "closed", commit });
});
