/** Searching issues and merge requests of all repositories: in titles, texts and comments, as far as whoever asks may read. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { FoundItems } from "@forgeline/schemas/search/resource.ts";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";

let server: ApiServer;
let ada: TestPerson;
let rick: TestPerson;
beforeAll(async () => {
  server = await startApiServer();
  ada = await server.person("ada");
  rick = await server.person("rick");
  await make("open", false);
  await make("secret", true);
  await send(ada, "POST", "/repos/ada/open/labels", { name: "help wanted" });
  await issue("open", {
    title: "Crashes at start",
    body: "It prints SIGSEGV.",
    labels: ["help wanted"],
    assignees: ["ada"],
  });
  await issue("open", { title: "Slow page", body: "cc @rick, takes a minute" });
  await issue("secret", { title: "Crash of the vault", body: "ask @rick" });
  await send(rick, "POST", "/repos/ada/open/issues/2/comments", {
    body: "Measured: the flamegraph says parse().",
  });
});
afterAll(() => server?.stop());

const send = (person: TestPerson | undefined, method: string, path: string, body?: unknown) =>
  server.api(method, path, {
    ...(person ? { token: person.token } : {}),
    ...(body === undefined ? {} : { body }),
  });
const make = (name: string, isPrivate: boolean) => send(ada, "POST", "/repos", { name, private: isPrivate });
const issue = async (repository: string, body: object) => {
  expect((await send(ada, "POST", `/repos/ada/${repository}/issues`, body)).status).toBe(201);
};
async function found(person: TestPerson | undefined, q: string, more = ""): Promise<string[]> {
  const answer = await send(person, "GET", `/search/issues?q=${encodeURIComponent(q)}${more}`);
  expect([answer.status, answer.text]).toEqual([200, answer.text]);
  const { total_count: total, items } = answer.json as FoundItems;
  expect(total).toBe(items.length);
  return items.map(({ repository, number }) => `${repository.full_name.slice(4)}#${number}`);
}

test("words stand in titles, texts and comments; what one may not read leaves no trace", async () => {
  expect(await found(ada, "crash")).toEqual(["secret#1", "open#1"]);
  expect(await found(rick, "crash")).toEqual(["open#1"]);
  expect(await found(undefined, "crash")).toEqual(["open#1"]);
  expect(await found(rick, '"crash"')).toEqual([]);
  expect(await found(rick, "slow flame")).toEqual(["open#2"]);
  expect(await found(rick, "slow -flamegraph")).toEqual([]);
  expect(await found(rick, "sigsegv or parse sort:created-asc")).toEqual(["open#1", "open#2"]);
  const token = await server.tokenFor(ada, ["repo:read"]);
  expect(await found({ ...ada, token }, "crash")).toEqual(["open#1"]);
  expect(
    (await send(ada, "PUT", "/repos/ada/secret/collaborators/rick", { permission: "read" })).status,
  ).toBeLessThan(300);
  expect(await found(rick, "crash")).toEqual(["secret#1", "open#1"]);
  await send(ada, "DELETE", "/repos/ada/secret/collaborators/rick");
  for (const q of ["repo:ada/secret", "repo:ada/secret crash", "owner:ada repo:ada/secret -is:closed"])
    expect([q, await found(rick, q)]).toEqual([q, []]);
  expect(await found(rick, "repo:ada/secret repo:ada/open crash")).toEqual(["open#1"]);
  expect(await found(ada, "owner:ada -repo:ada/open")).toEqual(["secret#1"]);
  expect(await found({ ...ada, token }, "owner:ada crash")).toEqual(["open#1"]);
});

test("qualifiers and parameters narrow it", async () => {
  expect(await found(ada, 'label:"help wanted" assignee:me')).toEqual(["open#1"]);
  expect(await found(ada, "-label:none repo:ada/open no:label")).toEqual(["open#2"]);
  expect(await found(rick, "mentions:me")).toEqual(["open#2"]);
  expect(await found(rick, "involves:me")).toEqual(["open#2"]);
  expect(await found(ada, "is:closed")).toEqual([]);
  expect((await send(ada, "PATCH", "/repos/ada/open/issues/2", { due_on: "2020-02-29" })).status).toBe(200);
  expect(await found(ada, "is:overdue")).toEqual(["open#2"]);
  expect(await found(ada, "-is:overdue")).toEqual(["secret#1", "open#1"]);
  const overdueList = await send(ada, "GET", "/repos/ada/open/issues?q=is:overdue&state=all");
  expect(overdueList.json).toMatchObject([{ number: 2, due_on: "2020-02-29" }]);
  expect(
    await found(ada, "", "&owner=ada&repository=ada/open&author=me&state=open&sort=created&direction=asc"),
  ).toEqual(["open#1", "open#2"]);
  expect(await found(ada, "is:draft", "&type=merge_request")).toEqual([]);
  expect(await found(ada, "is:mr is:issue slow")).toEqual(["open#2"]);
  expect(await found(ada, "is:issue slow", "&type=merge_request")).toEqual([]);
  for (const each of [
    "author:ada",
    "commenter:me",
    "review-requested:me",
    "reviewed-by:ada",
    "is:locked",
    "is:pinned",
    "source:x target:y",
    "milestone:x",
    "no:milestone",
    "no:due",
    "due:2026-01-01",
    "updated:>2020-01-01",
    "closed:*..2026-01-01",
  ])
    await found(rick, each, "&type=all");
  const refused = await send(ada, "GET", `/search/issues?q=${encodeURIComponent('crash "x')}`);
  expect([refused.status, refused.json.message]).toEqual([
    422,
    "The quotation mark is not closed (character 7).",
  ]);
  expect((await send(ada, "GET", "/search/issues?page=12&per_page=100")).status).toBe(422);
  const beyond = await send(ada, "GET", "/search/issues?page=2&per_page=100");
  expect(beyond.json).toMatchObject({ total_count: 3, items: [] });
  expect((await send(ada, "GET", "/search/merge-requests?q=x")).json).toEqual({ total_count: 0, items: [] });
  const list = await send(
    ada,
    "GET",
    `/repos/ada/open/issues?q=${encodeURIComponent("flamegraph is:open -label:bug")}`,
  );
  expect((list.json as { number: number }[]).map(({ number }) => number)).toEqual([2]);
});
