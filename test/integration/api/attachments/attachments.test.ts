/** Attachments over REST: who uploads and reads them, types by content, names, bounds, the scanner, and what nobody uses. */
import { chmod, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Attachment } from "@forgeline/schemas/attachments/resource.ts";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";

let server: ApiServer;
let ada: TestPerson;
let bob: TestPerson;
let eve: TestPerson;
const png = Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), Buffer.alloc(100)]);

beforeAll(async () => {
  const scanner = join(await mkdtemp(join(tmpdir(), "scanner-")), "scan");
  await writeFile(
    scanner,
    '#!/bin/sh\n[ "$1 $2" = "--from x;y" ] || exit 2\ncase "$(tr -d "\\000")" in *EICAR*) exit 1;; *BREAK*) exit 3;; esac\n',
  );
  await chmod(scanner, 0o755);
  server = await startApiServer({
    env: {
      FORGELINE_ATTACHMENT_SCAN: `${scanner} --from x;y`,
      FORGELINE_ATTACHMENT_MAX_BYTES: "20000",
      FORGELINE_ATTACHMENT_PLACE_BYTES: "50000",
    },
  });
  [ada, bob, eve] = await Promise.all([server.person("ada"), server.person("bob"), server.person("eve")]);
  await send(ada, "POST", "/repos", { name: "hidden", private: true });
  await send(ada, "POST", "/repos", { name: "small", private: true });
  await send(ada, "POST", "/repos", { name: "open", private: false });
  await send(ada, "POST", "/orgs", { name: "acme" });
  const { id } = (await send(ada, "POST", "/orgs/acme/invitations", { username: "bob" })).json;
  await send(bob, "POST", `/user/invitations/${String(id)}/accept`);
  await send(ada, "POST", "/orgs/acme/teams", { name: "core" });
});
afterAll(() => server?.stop());

const send = (person: TestPerson, method: string, path: string, body?: unknown) =>
  server.api(method, path, { token: person.token, ...(body === undefined ? {} : { body }) });
const upload = (person: TestPerson, query: Record<string, string>, body: Buffer | string) =>
  send(person, "POST", `/attachments?${new URLSearchParams(query).toString()}`, Buffer.from(body));
async function made(query: Record<string, string>, body: Buffer | string): Promise<Attachment> {
  const answer = await upload(ada, query, body);
  expect([answer.status, answer.text]).toEqual([201, answer.text]);
  return answer.json as Attachment;
}
const pathOf = ({ url }: Attachment) => url.slice(server.baseUrl.length);
const read = (person: TestPerson | undefined, attachment: Attachment) =>
  server.api("GET", pathOf(attachment), person ? { token: person.token } : {});

test("a picture is shown, anything else is a download, whatever its name says", async () => {
  const repo = "ada/open";
  const picture = await made({ repo, name: "pic(1).png" }, png);
  expect(picture).toMatchObject({ name: "pic(1).png", content_type: "image/png", size_bytes: png.length });
  expect(picture.markdown).toBe(`![pic(1).png](${server.baseUrl}/attachments/${picture.id}/pic%281%29.png)`);
  const shown = await read(undefined, picture);
  expect(shown.headers).toMatchObject({
    "content-type": "image/png",
    "content-disposition": expect.stringMatching(/^inline; /),
    "x-content-type-options": "nosniff",
    "content-security-policy": expect.stringContaining("sandbox"),
  });
  for (const [name, body, type] of [
    [
      "x.png",
      "<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>",
      "text/plain; charset=utf-8",
    ],
    ["x.svg", "<svg onload=alert(1)>", "text/plain; charset=utf-8"],
    ["x.html", "<script>alert(1)</script>", "text/plain; charset=utf-8"],
    ["bomb.zip", "PK\x03\x04" + "\0".repeat(50), "application/zip"],
    ["x.jpg", "\0\x01\x02 no picture", "application/octet-stream"],
  ] as const) {
    const attachment = await made({ repo, name }, Buffer.from(body, "latin1"));
    expect(attachment.markdown).toMatch(/^\[/);
    const { headers } = await read(undefined, attachment);
    expect([headers["content-type"], headers["content-disposition"]]).toEqual([
      type,
      expect.stringMatching(/^attachment; /),
    ]);
  }
  const part = await server.api("GET", pathOf(picture), { headers: { range: "bytes=1-3" } });
  expect([part.status, part.text]).toEqual([206, "PNG"]);
});

test("a name loses directories and what turns text, and stays one link", async () => {
  const { name, markdown, url } = await made(
    { repo: "ada/open", name: "../../etc/\u202e[gpj].exe`\n" },
    "MZ\0",
  );
  expect(name).toBe("[gpj].exe`");
  expect(markdown).toBe(`[\\[gpj\\].exe\\\`](${url})`);
});

test("who reads the repository reads it, and for others there is none", async () => {
  const attachment = await made({ repo: "ada/hidden", name: "a.txt" }, "secret");
  const absent = { ...attachment, url: attachment.url.replace(/atm_\w+/, `atm_${"0".repeat(26)}`) };
  const told = await read(eve, absent);
  for (const person of [eve, undefined]) {
    const { status, json } = await read(person, attachment);
    expect([status, json.message]).toEqual([404, told.json.message]);
  }
  expect((await read(ada, attachment)).text).toBe("secret");
  const narrow = { ...ada, token: await server.tokenFor(ada, ["repo:read"]) };
  expect((await read(narrow, attachment)).status).toBe(404);
  expect((await send(ada, "GET", pathOf(attachment).replace("a.txt", "b.txt"))).status).toBe(404);
  for (const query of [
    { repo: "ada/hidden", name: "x" },
    { team: "acme/core", name: "x" },
    { repo: "ada/none", name: "x" },
  ])
    expect((await upload(eve, query, "x")).status).toBe(404);
  expect((await upload(ada, { name: "x" }, "x")).status).toBe(422);
  expect((await upload(ada, { name: "x", repo: "ada/open", team: "acme/core" }, "x")).status).toBe(422);
  await send(ada, "DELETE", "/repos/ada/hidden");
  expect((await read(ada, attachment)).status).toBe(404);
});

test("on a board, it is for the team until a discussion for all mentions it", async () => {
  const query = { team: "acme/core", name: "plan.txt" };
  expect((await upload(bob, query, "x")).status).toBe(403);
  const attachment = await made(query, "plan");
  const board = "/orgs/acme/teams/core/discussions";
  await send(ada, "POST", board, { title: "Among us", body: attachment.markdown, private: true });
  expect((await read(bob, attachment)).status).toBe(404);
  const { number } = (await send(ada, "POST", board, { title: "For all" })).json;
  await send(ada, "POST", `${board}/${number}/replies`, { body: attachment.markdown });
  expect((await read(bob, attachment)).status).toBe(200);
  expect((await read(eve, attachment)).status).toBe(404);
});

test("too much is refused, and leaves nothing", async () => {
  const small = { repo: "ada/small", name: "x" };
  expect((await upload(ada, small, Buffer.alloc(20_001))).status).toBe(413);
  expect((await upload(ada, small, "")).status).toBe(422);
  for (let count = 0; count < 2; count += 1) await made(small, Buffer.alloc(20_000));
  expect((await upload(ada, small, Buffer.alloc(20_000))).json).toMatchObject({ error: "quota_exceeded" });
  await made(small, Buffer.alloc(5_000));
});

test("what the scanner finds is refused, and nothing is taken while it does not work", async () => {
  const repo = "ada/open";
  const found = await upload(ada, { repo, name: "a.txt" }, "x EICAR x");
  expect([found.status, found.json.message]).toMatchObject([422, expect.stringContaining("virus scanner")]);
  expect((await upload(ada, { repo, name: "a.txt" }, "BREAK")).status).toBe(503);
  const rows = await server.container.platform.db.query("select id from attachments where stored_at is null");
  expect(rows).toEqual([]);
});

test("what no text mentions within a day is removed, with what has lost its row", async () => {
  const { db, objects } = server.container.platform;
  const repo = "ada/open";
  const [used, unused, lost] = [
    await made({ repo, name: "used.txt" }, "used"),
    await made({ repo, name: "unused.txt" }, "unused"),
    await made({ repo, name: "lost.txt" }, "lost"),
  ];
  await send(ada, "POST", "/repos/ada/open/issues", { title: "With a file", body: used.markdown });
  await db.query("update attachments set created_at = now() - interval '25 hours' where id = any ($1)", [
    [used.id, unused.id],
  ]);
  await db.query("delete from attachments where id = $1", [lost.id]);
  const stored = async () => {
    const ids: string[] = [];
    for await (const { key } of objects.list("attachments/")) ids.push(key.split("/").at(-1) ?? "");
    return [used, unused, lost].map(({ id }) => ids.includes(id));
  };
  expect(await stored()).toEqual([true, true, true]);
  const [task] = server.container.collaboration.attachmentUpkeep.upkeepTasks;
  await task?.run(new AbortController().signal);
  expect(await stored()).toEqual([true, false, false]);
  expect((await read(ada, used)).status).toBe(200);
  expect((await read(ada, unused)).status).toBe(404);
});

test("who uploaded one deletes it, and so do those who look after its place", async () => {
  const owned = { repo: "ada/open", name: "gone.txt" };
  const mine = (await upload(eve, owned, "x")).json as Attachment;
  const path = pathOf(mine);
  expect((await send(bob, "DELETE", path)).status).toBe(403);
  expect((await send(bob, "DELETE", path.replace("gone", "other"))).status).toBe(404);
  expect((await send(eve, "DELETE", path)).status).toBe(204);
  expect((await read(undefined, mine)).status).toBe(404);
  expect((await send(eve, "DELETE", path)).status).toBe(404);
  const kept: string[] = [];
  for await (const { key } of server.container.platform.objects.list("attachments/")) kept.push(key);
  expect(kept.filter((key) => key.includes(mine.id))).toEqual([]);
  const foreign = (await upload(eve, owned, "x")).json as Attachment;
  expect((await send(ada, "DELETE", pathOf(foreign))).status).toBe(204);
  const ofTeam = await made({ team: "acme/core", name: "plan.txt" }, "x");
  expect((await send(bob, "DELETE", pathOf(ofTeam))).status).toBe(404);
  expect((await send(ada, "DELETE", pathOf(ofTeam))).status).toBe(204);
});

test("guests leave room for those who belong to the repository", async () => {
  await send(ada, "POST", "/repos", { name: "busy", private: false });
  const query = { repo: "ada/busy", name: "x" };
  const take = async (person: TestPerson, bytes: number) =>
    (await upload(person, query, Buffer.alloc(bytes))).status;
  expect([await take(eve, 12_000), await take(eve, 1_000)]).toEqual([201, 403]);
  expect([await take(bob, 12_000), await take(bob, 501)]).toEqual([201, 403]);
  expect(await take(ada, 13_000)).toBe(201);
  expect([await take(eve, 500), await take(bob, 501)]).toEqual([201, 403]);
  expect(await take(ada, 12_000)).toBe(201);
});

test("what comes with a discussion counts as uploads of whoever makes an issue of it", async () => {
  await send(ada, "PUT", "/orgs/acme/teams/core/members/bob", { role: "member" });
  await send(ada, "POST", "/repos", { name: "full", private: false });
  const board = "/orgs/acme/teams/core/discussions";
  const issueWith = async (bytes: number) => {
    const { markdown } = await made({ team: "acme/core", name: "x" }, Buffer.alloc(bytes));
    const { number } = (await send(ada, "POST", board, { title: "With a file", body: markdown })).json;
    return send(bob, "POST", `${board}/${number}/issue`, { repository: "ada/full" });
  };
  expect((await issueWith(13_000)).json).toMatchObject({ error: "quota_exceeded" });
  expect((await issueWith(12_000)).status).toBe(201);
  const rows = await server.container.platform.db.query(
    "select u.username from attachments a join users u on u.id = a.uploader_id join repositories r on r.id = a.repository_id where r.name = 'full'",
  );
  expect(rows).toEqual([{ username: "bob" }]);
  // Of the board somebody deletes their own while they write there.
  const own = (await upload(bob, { team: "acme/core", name: "y" }, "y")).json as Attachment;
  await send(ada, "POST", board, { title: "Open", body: own.markdown });
  await send(ada, "DELETE", "/orgs/acme/teams/core/members/bob");
  expect((await send(bob, "DELETE", pathOf(own))).status).toBe(403);
});
