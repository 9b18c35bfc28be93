/** Whoever makes a repository or is given one watches it, unless they do not want that. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";

let server: ApiServer;
let ada: TestPerson;
let ben: TestPerson;

const ok = async (person: TestPerson, method: string, path: string, body?: unknown) => {
  const sent = { token: person.token, ...(body === undefined ? {} : { body }) };
  const answer = await server.api(method, path, sent);
  expect([path, answer.status < 300, answer.text]).toEqual([path, true, answer.text]);
  return answer.json as Record<string, unknown>;
};
const levelOf = async (person: TestPerson, repository: string) =>
  (await ok(person, "GET", `/repos/${repository}/subscription`))["level"];
const wants = (person: TestPerson, autoWatch: boolean) =>
  ok(person, "PATCH", "/user/notification-settings", { auto_watch: autoWatch });

beforeAll(async () => {
  server = await startApiServer();
  ada = await server.person("ada");
  ben = await server.person("ben");
  await ok(ada, "POST", "/orgs", { name: "acme" });
  await ok(ada, "PUT", "/orgs/acme/members/ben", {});
});
afterAll(() => server?.stop());

test("whoever creates or forks a repository watches it, for themselves or an organization; nobody else does", async () => {
  await ok(ada, "POST", "/repos", { name: "own" });
  await ok(ben, "POST", "/repos", { name: "app", owner: "acme", readme: true });
  await ok(ada, "POST", "/repos/acme/app/forks", {});
  expect(await levelOf(ada, "ada/own")).toBe("watching");
  expect(await levelOf(ben, "acme/app")).toBe("watching");
  expect(await levelOf(ada, "ada/app")).toBe("watching");
  expect(await levelOf(ada, "acme/app")).toBe("participating");
  await ok(ada, "PUT", "/repos/ada/own/collaborators/ben", { permission: "write" });
  expect(await levelOf(ben, "ada/own")).toBe("participating");
});

test("whoever does not want it watches nothing by itself, and keeps what they watch", async () => {
  expect(await ok(ben, "GET", "/user/notification-settings")).toMatchObject({ auto_watch: true });
  expect(await wants(ben, false)).toMatchObject({ auto_watch: false, mail_watching: true });
  await ok(ben, "POST", "/repos", { name: "quiet" });
  expect(await levelOf(ben, "ben/quiet")).toBe("participating");
  expect(await levelOf(ben, "acme/app")).toBe("watching");
  await ok(ben, "PATCH", "/user/notification-settings", { digest: "daily" });
  expect(await ok(ben, "GET", "/user/notification-settings")).toMatchObject({ auto_watch: false });
});

test("whoever is given a repository watches it from then on, but not one that they had muted", async () => {
  const give = async (name: string) => {
    await ok(ada, "POST", `/repos/ada/${name}/transfer`, { new_owner: "ben" });
    await ok(ben, "POST", `/repos/ada/${name}/transfer/accept`);
    return levelOf(ben, `ben/${name}`);
  };
  for (const name of ["first", "second", "third"]) {
    await ok(ada, "POST", "/repos", { name });
    await ok(ada, "PUT", `/repos/ada/${name}/collaborators/ben`, { permission: "read" });
  }
  await ok(ben, "PUT", "/repos/ada/second/subscription", { level: "muted" });
  expect(await give("third")).toBe("participating");
  await wants(ben, true);
  expect(await give("first")).toBe("watching");
  expect(await give("second")).toBe("muted");
});
