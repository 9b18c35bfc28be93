/**
 * What one may not see cannot be told from what there is not, by any operation: the same answer to the byte, and the same
 * number of statements in the database, so that the time it takes says nothing either. No time is measured here.
 */
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { startApiServer, type ApiServer } from "../support/api-server.ts";
import { markHeader, watchStatements, type StatementWatch } from "../support/count-statements.ts";
import { manyRequests, type ManyRequests } from "../support/many-requests.ts";
import { isFull } from "../support/size.ts";
import { scopes } from "@forgeline/schemas/core/scopes.ts";
import { documentedOperations, type Operation } from "./access-matrix/operations.ts";
import type { Target } from "./access-matrix/expected.ts";
import { expectedAccess } from "./access-matrix/rows.ts";
import { ensure, placeNamed } from "./access-matrix/places.ts";

let server: ApiServer;
let watch: StatementWatch;
let requests: ManyRequests;
let operations: Operation[];
/** Who sees none of the hidden ones. */
const tokens: Record<string, string | undefined> = { nobody: undefined };
vi.setConfig({ testTimeout: 120_000 });
const hidden = ["private", "internal", "deleted", "old-name", "old-place"];
let mark = 0;

beforeAll(async () => {
  watch = watchStatements();
  server = await startApiServer();
  // One after the other, so that none of them waits for a connection to the database.
  requests = manyRequests(server, { atOnce: 1 });
  operations = await documentedOperations(server);
  const owner = (await server.person("olga")).token;
  const send = async (method: string, path: string, body?: object) =>
    ensure(await server.api(method, path, body === undefined ? { token: owner } : { token: owner, body }))
      .json;
  await send("POST", "/orgs", { name: "acme" });
  await send("POST", "/orgs", { name: "next" });
  for (const name of [...hidden, "elsewhere"])
    await send("POST", "/repos", { owner: "acme", name, readme: true, visibility: visibilityOf(name) });
  await send("DELETE", "/repos/acme/deleted");
  await send("PATCH", "/repos/acme/old-name", { name: "new-name" });
  await send("POST", "/repos/acme/old-place/transfer", { new_owner: "next" });
  await send("POST", "/orgs/acme/teams", { name: "hidden", visibility: "secret" });
  await send("POST", "/orgs/acme/teams", { name: "nested", parent: "hidden" });
  const stranger = await server.person("stranger");
  tokens["stranger"] = stranger.token;
  tokens["stranger's token without scopes of repositories"] = await server.tokenFor(stranger, ["user:read"]);
  tokens["token for another repository"] = (
    await send("POST", "/user/tokens", { name: "x", scopes, repositories: ["acme/elsewhere"] })
  ).token;
  tokens["member"] = (await server.person("mia")).token;
  await send("PUT", "/orgs/acme/members/mia", {});
});
afterAll(async () => {
  requests.close();
  watch.stop();
  await server.stop();
});

const visibilityOf = (name: string) => (name === "internal" ? "internal" : "private");

interface Asked {
  who: string;
  operation: Operation;
  target: Target;
}

/** All that could tell two requests apart, without what differs between any two. */
async function tellable({ who, operation, target }: Asked) {
  const token = tokens[who];
  const answer = await requests.send(operation.method, operation.pathFor(target), {
    [markHeader]: String(++mark),
    ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
  });
  const { date: _date, "x-request-id": _id, ...headers } = answer.headers;
  // Who asks is looked up every few seconds, whatever is asked.
  const statements = watch.of(String(mark)).filter((text) => !text.includes("access_tokens"));
  return { status: answer.status, headers, text: answer.text, statements: statements.length };
}

const ofAbsent = new Map<string, Promise<unknown>>();

/** The same for what is not there, asked once. */
function tellableOfAbsent(asked: Asked): Promise<unknown> {
  const key = [asked.who, asked.operation.id, asked.target.team].join();
  const found = ofAbsent.get(key) ?? tellable(asked);
  ofAbsent.set(key, found);
  return found;
}

const at = (repo: string, team = "open"): Target => ({ place: { ...placeNamed("private"), repo }, team });

/** Each operation is asked for about each hidden thing, by some callers in turn: the same lines look for a repository for all of them. */
const isAsked = (turn: number) => isFull || turn % 3 === 0;

function operationsAbout(about: (needs: string) => boolean): Operation[] {
  const rows = expectedAccess();
  return operations.filter(({ id }) => {
    const row = rows.get(id);
    return row !== undefined && about(row.about === "organization" ? row.needs : row.about);
  });
}

test.each(hidden)("a repository: %s", async (name) => {
  const repositoryOperations = operationsAbout((what) => what === "repository");
  expect(repositoryOperations.length).toBeGreaterThan(40);
  const seers = name === "internal" ? ["member"] : [];
  const callers = Object.keys(tokens).filter((each) => !seers.includes(each));
  for (const who of callers)
    for (const [o, operation] of repositoryOperations.entries()) {
      if (!isAsked(o + callers.indexOf(who) + hidden.indexOf(name))) continue;
      const absent = await tellableOfAbsent({ who, operation, target: at("absent") });
      const there = await tellable({ who, operation, target: at(name) });
      const what = `${operation.id} by ${who}`;
      expect([what, there]).toEqual([what, absent]);
      expect([what, [403, 404].includes(there.status)]).toEqual([what, true]);
    }
});

test.each(["hidden", "hidden/nested"])("a secret team: %s", async (team) => {
  const teamOperations = operationsAbout((needs) => needs.endsWith("-team"));
  expect(teamOperations.length).toBeGreaterThan(8);
  const notThere = team === "hidden" ? "absent" : "absent/nested";
  for (const who of Object.keys(tokens))
    for (const operation of teamOperations) {
      const absent = await tellableOfAbsent({ who, operation, target: at("elsewhere", notThere) });
      const there = await tellable({ who, operation, target: at("elsewhere", team) });
      const what = `${operation.id} by ${who}`;
      expect([what, there]).toEqual([what, absent]);
      expect([what, [401, 403, 404].includes(there.status)]).toEqual([what, true]);
    }
});

test("this would notice: what is seen makes another answer by other statements", async () => {
  const [operation] = operations.filter(({ id }) => id === "getRepository");
  if (!operation) throw new Error("no such operation");
  const seen = await tellable({ who: "member", operation, target: at("internal") });
  const absent = await tellable({ who: "member", operation, target: at("absent") });
  expect([seen.status, absent.status]).toEqual([200, 404]);
  expect(seen.statements).toBeGreaterThan(0);
  expect(absent.statements).toBeGreaterThan(seen.statements);
});
