/** Git LFS by hand: what clients are told, ranges, locks page by page, and credentials that end. */
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startApiServer, type TestPerson } from "../../../support/api-server.ts";
import {
  lfsBatch,
  lfsCall,
  lfsDownload,
  lfsObject,
  lfsType,
  lfsUpload,
  startLfsServer,
  type LfsServer,
} from "../../../support/lfs-server.ts";

let server: LfsServer;
let root: TestPerson;
let ada: TestPerson;
let bob: TestPerson;
beforeAll(async () => {
  server = await startLfsServer("file");
  root = await server.person("root", { isAdmin: true });
  [ada, bob] = [await server.person("ada"), await server.person("bob")];
  for (const [name, visibility] of [
    ["art", "private"],
    ["open", "public"],
  ])
    await server.api("POST", "/repos", { token: ada.token, body: { name, visibility } });
});
afterAll(() => server?.stop());

const at = (path: string, repository = "ada/art") => ({ repository, path });
const post = (path: string, body: object, token = ada.token, repository = "ada/art") =>
  lfsCall(server, "POST", at(path, repository), { token, body });

describe("refusals", () => {
  it("ask strangers for a credential, and tell nobody what exists", async () => {
    const absent = [];
    for (const repository of ["ada/art", "ada/none"]) {
      const asked = await lfsBatch(server, repository, "download", []);
      expect([asked.status, asked.headers["lfs-authenticate"]]).toEqual([
        401,
        expect.stringMatching(/^Basic /),
      ]);
      const told = await lfsBatch(server, repository, "download", [], bob.token);
      expect(told.status).toBe(404);
      absent.push({ ...told.json, request_id: "" });
    }
    expect(absent[0]).toEqual(absent[1]);
  });

  it("of who shows nothing come before the body is read", async () => {
    const steal = (repository: string) =>
      lfsCall(server, "POST", at("/objects/batch", repository), { body: { operation: "steal" } });
    expect((await steal("ada/art")).status).toBe(401);
    expect((await steal("ada/open")).status).toBe(422);
  });

  it("have the form that clients show", async () => {
    const answer = await post("/objects/batch", { operation: "steal", objects: [] });
    expect([answer.status, answer.headers["content-type"]]).toEqual([422, lfsType]);
    expect(answer.json).toEqual({
      message: expect.stringContaining("operation"),
      documentation_url: expect.stringContaining("/docs/errors#validation_failed"),
      request_id: answer.headers["x-request-id"],
    });
  });

  it.each([
    ["another hash", { hash_algo: "sha512" }, 409],
    ["another way of transfer", { transfers: ["tus"] }, 422],
    ["too many objects", { objects: Array.from({ length: 1001 }, () => ({ oid: "a", size: 1 })) }, 413],
    ["no objects at all", { objects: undefined }, 422],
  ])("name %s", async (_what, change, status) => {
    const answer = await post("/objects/batch", { operation: "download", objects: [], ...change });
    expect(answer.status).toBe(status);
  });

  it("are those of HTTP for a wrong method, type, body or place", async () => {
    const batch = at("/objects/batch");
    const wrongMethod = await lfsCall(server, "GET", batch, { token: ada.token });
    expect([wrongMethod.status, wrongMethod.headers["allow"]]).toEqual([405, "POST"]);
    const headers = { "Content-Type": "text/plain" };
    expect((await lfsCall(server, "POST", batch, { token: ada.token, headers, body: "{}" })).status).toBe(
      415,
    );
    expect((await lfsCall(server, "POST", batch, { token: ada.token, body: "{" })).status).toBe(400);
    expect((await lfsCall(server, "GET", at("/what"), { token: ada.token })).status).toBe(404);
    const inQuery = await lfsCall(server, "GET", at(`/locks?access_token=${ada.token}`));
    expect(inQuery.status).toBe(401);
  });
});

it("tells of each object of a batch by itself", async () => {
  const object = lfsObject(randomBytes(10));
  await lfsUpload(server, "ada/art", object, ada.token);
  const other = lfsObject(randomBytes(20));
  const { json } = await lfsBatch(server, "ada/art", "download", [object, other, object], ada.token);
  expect(json).toMatchObject({
    transfer: "basic",
    hash_algo: "sha256",
    objects: [
      { oid: object.oid, size: 10, authenticated: true },
      { oid: other.oid, error: { code: 404 } },
      { oid: object.oid, size: 10 },
    ],
  });
});

it("serves one range of an object, as a download that goes on asks for", async () => {
  const object = lfsObject(randomBytes(1000));
  await lfsUpload(server, "ada/art", object, ada.token);
  const { json } = await lfsBatch(server, "ada/art", "download", [object], ada.token);
  const { href } = json.objects[0].actions.download;
  const get = (headers: Record<string, string>) => lfsCall(server, "GET", href, { headers });
  const part = await get({ Range: "bytes=900-999" });
  expect([part.status, part.headers["content-range"]]).toEqual([206, "bytes 900-999/1000"]);
  expect(part.bytes.equals(object.bytes.subarray(900))).toBe(true);
  const past = await get({ Range: "bytes=1000-" });
  expect([past.status, past.headers["content-range"]]).toEqual([416, "bytes */1000"]);
  const changed = await get({ Range: "bytes=900-", "If-Range": '"other"' });
  expect([changed.status, changed.bytes.length]).toEqual([200, 1000]);
  expect(changed.headers).toMatchObject({
    "content-type": "application/octet-stream",
    "content-disposition": "attachment",
    "x-content-type-options": "nosniff",
    "content-security-policy": expect.stringContaining("sandbox"),
  });
});

/** A path that cannot be compressed, as a database would. */
const ofBytes = (length: number) =>
  randomBytes(length)
    .toString("hex")
    .slice(0, length)
    .replaceAll(/.{200}(?=.)/g, (part) => `${part.slice(1)}/`);

describe("locks", () => {
  it("are listed page by page, by path and by id, each once", async () => {
    const made = [];
    for (let i = 0; i < 5; i++) made.push((await post("/locks", { path: `art/${i}.psd` })).json.lock);
    const list = async (query: string) =>
      (await lfsCall(server, "GET", at(`/locks?${query}`), { token: ada.token })).json;
    const first = await list("limit=2&refspec=refs/heads/main");
    const second = await list(`limit=2&cursor=${first.next_cursor}`);
    const third = await list(`limit=2&cursor=${second.next_cursor}`);
    expect([...first.locks, ...second.locks, ...third.locks]).toEqual(made);
    expect(third.next_cursor).toBeUndefined();
    expect((await list("path=art/3.psd&limit=")).locks).toEqual([made[3]]);
    expect((await list(`id=${made[4].id}`)).locks).toEqual([made[4]]);
    expect((await list("path=none")).locks).toEqual([]);
    expect(made[0]).toEqual({
      id: expect.stringMatching(/^lck_/),
      path: "art/0.psd",
      locked_at: expect.stringMatching(/^\d{4}-.*Z$/),
      owner: { name: "ada" },
    });
  });

  it("are exclusive, and end by their holder or by force", async () => {
    const { lock } = (await post("/locks", { path: "one.psd" }, ada.token, "ada/open")).json;
    await server.api("PUT", "/repos/ada/open/collaborators/bob", {
      token: ada.token,
      body: { permission: "write" },
    });
    const again = await post("/locks", { path: "one.psd" }, bob.token, "ada/open");
    expect([again.status, again.json.lock, again.json.message]).toEqual([
      409,
      lock,
      expect.stringContaining("ada"),
    ]);
    const seen = (await post("/locks/verify", {}, bob.token, "ada/open")).json;
    expect(seen).toEqual({ ours: [], theirs: [lock] });
    const unlock = (body: object, token = bob.token) =>
      post(`/locks/${lock.id}/unlock`, body, token, "ada/open");
    expect((await unlock({})).status).toBe(403);
    expect((await post(`/locks/${lock.id}/unlock`, { force: true })).status).toBe(404);
    expect((await unlock({ force: true })).json).toEqual({ lock });
    expect((await unlock({ force: true })).status).toBe(404);
    const many = Array.from({ length: 20 }, () =>
      post("/locks", { path: "race.psd" }, bob.token, "ada/open"),
    );
    const statuses = (await Promise.all(many)).map(({ status }) => status).sort((a, b) => a - b);
    expect(statuses).toEqual([201, ...Array.from({ length: 19 }, () => 409)]);
  });

  it("take names of files alone, whatever else is sent", async () => {
    for (const path of [
      "../x",
      "/etc/passwd",
      "a/../b",
      ".git/config",
      ".GIT/x",
      "git~1",
      "a\0b",
      "..\\x",
      "",
      "\ud800",
      "x".repeat(5000),
      ofBytes(1_025),
      ofBytes(3_000),
    ])
      expect([path, (await post("/locks", { path })).status]).toEqual([path, 422]);
    expect((await post("/locks", { path: ofBytes(1_024) })).status).toBe(201);
    expect((await post("/locks", { path: "%2e%2e/x" })).json.lock.path).toBe("%2e%2e/x");
  });
});

describe("what was derived from a credential", () => {
  it("opens the repository that it was made for, at the address of no other", async () => {
    const path = "/repos/ada/art/collaborators/bob";
    await server.api("PUT", path, { token: ada.token, body: { permission: "write" } });
    const [stored, coming] = [lfsObject(randomBytes(40)), lfsObject(randomBytes(40))];
    await lfsUpload(server, "ada/art", stored, ada.token);
    const actionsOf = async (operation: "download" | "upload", object: typeof stored) =>
      (await lfsBatch(server, "ada/art", operation, [object], bob.token)).json.objects[0].actions;
    const { download } = await actionsOf("download", stored);
    const { upload } = await actionsOf("upload", coming);
    await server.api("DELETE", path, { token: ada.token });
    await server.api("POST", "/repos", { token: bob.token, body: { name: "own" } });
    for (const place of ["ada/art", "ada/open", "bob/own"]) {
      const elsewhere = (href: string) => href.replace("ada/art", place);
      const read = await lfsCall(server, "GET", elsewhere(download.href));
      expect([place, read.status]).toEqual([place, 404]);
    }
    const written = await lfsCall(server, "PUT", upload.href.replace("ada/art", "bob/own"), {
      body: coming.bytes,
    });
    expect(written.status).toBe(404);
    expect((await lfsDownload(server, "ada/art", coming, ada.token)).status).toBe(404);
  });

  it("ends with it: revoked, suspended, limited, or without the right", async () => {
    const object = lfsObject(randomBytes(50));
    const actions = async (token: string) =>
      (await lfsBatch(server, "ada/open", "upload", [object], token)).json.objects[0].actions;
    const put = (href: string) => lfsCall(server, "PUT", href, { body: object.bytes });
    const cases: [string, number, () => Promise<unknown>][] = [
      [
        "right taken",
        403,
        () => server.api("DELETE", "/repos/ada/open/collaborators/carl", { token: ada.token }),
      ],
      [
        "hidden",
        404,
        () => server.api("PATCH", "/repos/ada/open", { token: ada.token, body: { visibility: "private" } }),
      ],
      ["suspended", 401, () => server.api("PUT", "/admin/users/carl/suspension", { token: root.token })],
    ];
    const carl = await server.person("carl");
    const body = { permission: "write" };
    await server.api("PUT", "/repos/ada/open/collaborators/carl", { token: ada.token, body });
    const { href } = (await actions(carl.token)).upload;
    for (const [what, status, change] of cases) {
      await change();
      expect([what, (await put(href)).status]).toEqual([what, status]);
    }
    const own = await server.api("POST", "/user/tokens", {
      token: ada.token,
      body: { name: "short", scopes: ["repo:write"] },
    });
    const later = (await actions(own.json.token)).upload.href;
    const limitTo = (ranges: string | null) =>
      server.container.platform.db.query("update access_tokens set address_ranges = $2 where id = $1", [
        own.json.id,
        ranges,
      ]);
    await limitTo("{203.0.113.0/24}");
    expect((await put(later)).status).toBe(403);
    await limitTo(null);
    await server.api("DELETE", `/user/tokens/${own.json.id}`, { token: ada.token });
    expect((await put(later)).status).toBe(401);
    const good = (await actions(ada.token)).upload.href;
    await server.api("POST", "/repos/ada/open/archive", { token: ada.token });
    const archived = await put(good);
    expect([archived.status, archived.json.message]).toEqual([403, expect.stringContaining("archived")]);
    expect((await lfsDownload(server, "ada/open", object, ada.token)).status).toBe(404);
  });
});

it("counts each call as a Git operation, and the transfers that it leads to as none", async () => {
  const limited = await startApiServer({ env: { FORGELINE_LIMIT_GIT: "3" }, beside: server });
  try {
    const dan = await server.person("dan");
    await server.api("POST", "/repos", { token: dan.token, body: { name: "art" } });
    const beside = { ...limited, backend: "file" } as const;
    expect((await lfsUpload(beside, "dan/art", lfsObject("1"), dan.token)).status).toBe(200);
    expect((await lfsUpload(beside, "dan/art", lfsObject("2"), dan.token)).status).toBe(200);
    const third = await lfsBatch(limited, "dan/art", "download", [], dan.token);
    expect([third.status, third.headers["x-ratelimit-resource"]]).toEqual([200, "git"]);
    const fourth = await lfsBatch(limited, "dan/art", "download", [], dan.token);
    expect([fourth.status, Number(fourth.headers["retry-after"]) > 0]).toEqual([429, true]);
  } finally {
    await limited.stop();
  }
});
