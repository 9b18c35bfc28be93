/** An entity tag says nothing to anybody but whose it is: every read, asked with the tag that its owner got. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { startApiServer, type ApiServer, type TestPerson } from "../support/api-server.ts";
import { isFull } from "../support/size.ts";
import { documentedOperations, type Operation } from "./access-matrix/operations.ts";
import { ensure, placeNamed } from "./access-matrix/places.ts";

let server: ApiServer;
let reads: Operation[];
let olga: TestPerson;
const target = { place: placeNamed("private"), team: "open" };
beforeAll(async () => {
  server = await startApiServer();
  olga = await server.person("olga", { isAdmin: true });
  const send = async (path: string, body: object) =>
    ensure(await server.api("POST", path, { token: olga.token, body }));
  await send("/orgs", { name: "acme" });
  await send("/repos", { owner: "acme", name: target.place.repo, readme: true });
  await send(`/repos/acme/${target.place.repo}/tags`, { name: "v1", ref: "main" });
  await send("/orgs/acme/teams", { name: "open" });
  await send("/orgs/acme/bots", { name: "idle", scopes: ["repo:read"] });
  await server.person("mia");
  await server.api("PUT", "/orgs/acme/members/mia", { token: olga.token, body: {} });
  reads = (await documentedOperations(server)).filter(({ method }) => method === "GET");
});
afterAll(() => server?.stop());

const get = ({ pathFor }: Operation, token: string | undefined, tag?: string) =>
  server.api("GET", pathFor(target), {
    ...(token === undefined ? {} : { token }),
    ...(tag === undefined ? {} : { headers: { "If-None-Match": tag } }),
  });

test("it matches for its own reader, and for nobody else, nor with other scopes, nor after revocation", async () => {
  const stranger = await server.person("stranger");
  const other = await server.person("other-admin", { isAdmin: true });
  const narrow = await server.tokenFor(olga, ["repo:read", "org:read", "user:read"]);
  const made = await server.api("POST", "/user/tokens", {
    token: olga.token,
    body: { name: "gone", scopes: ["repo:read"] },
  });
  await server.api("DELETE", `/user/tokens/${made.json.id}`, { token: olga.token });
  const tagged: string[] = [];
  const matched: string[] = [];
  for (const read of reads) {
    const first = await get(read, olga.token);
    const { etag } = first.headers;
    if (first.status !== 200 || etag === undefined) continue;
    tagged.push(read.id);
    expect(first.headers["cache-control"], read.id).toMatch(/^private, no-cache|no-store/);
    expect(first.headers["vary"], read.id).toContain("Authorization");
    const others = Object.entries({
      stranger: stranger.token,
      other: other.token,
      narrow,
      nobody: undefined,
      revoked: made.json.token as string,
    });
    for (const [who, token] of others.filter((_, at) => isFull || (at + tagged.length) % 2 === 0))
      if ((await get(read, token, etag)).status === 304) matched.push(`${read.id} ${who}`);
  }
  expect(tagged.length).toBeGreaterThan(50);
  expect(matched).toEqual([]);
});

test("what is refused has no tag, and matches none, not even any", async () => {
  const eve = (await server.person("eve")).token;
  const leaking: string[] = [];
  for (const read of reads) {
    const plain = await get(read, eve);
    if (plain.status < 400) continue;
    const asked = await get(read, eve, "*");
    if (plain.headers.etag !== undefined || asked.headers.etag !== undefined || asked.status !== plain.status)
      leaking.push(`${read.id} ${asked.status}`);
  }
  expect(leaking).toEqual([]);
});

test("who loses the right to read has nothing of an old tag", async () => {
  const path = `/repos/acme/${target.place.repo}`;
  const ben = await server.person("ben");
  await server.api("PUT", `${path}/collaborators/ben`, { token: olga.token, body: { permission: "read" } });
  const first = await server.api("GET", path, { token: ben.token });
  const headers = { "If-None-Match": first.headers.etag ?? "" };
  expect((await server.api("GET", path, { token: ben.token, headers })).status).toBe(304);
  await server.api("DELETE", `${path}/collaborators/ben`, { token: olga.token });
  const after = await server.api("GET", path, { token: ben.token, headers });
  expect([after.status, after.headers.etag]).toEqual([404, undefined]);
});
