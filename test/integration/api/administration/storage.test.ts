/** Sizes of repositories: measured behind the requests, told to administrators, and to owners about their own. */
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPeriodicTasks } from "@forgeline/server/platform/periodic-tasks.ts";
import { lfsDownload, lfsObject, lfsUpload } from "../../../support/lfs-server.ts";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";
import { eventually } from "../../../support/eventually.ts";
import { addressWithToken, createGitClient, type GitClient } from "../../git/git-client.ts";
import { repositoryWithLog } from "./repository-with-log.ts";

let server: ApiServer;
let git: GitClient;
let root: TestPerson;
let ada: TestPerson;
beforeAll(async () => {
  server = await startApiServer();
  git = await createGitClient(server.caFile);
  [root, ada] = [await server.person("root", { isAdmin: true }), await server.person("ada")];
});
afterAll(async () => {
  await git?.remove();
  await server?.stop();
});

const api = (method: string, path: string, token = root.token, body?: unknown) =>
  server.api(method, path, { token, body });
const query = (text: string, params: readonly unknown[] = []) =>
  server.container.platform.db.query(text, params);

/** As if the seconds had passed that a push waits to be measured; what is due later stays so. */
async function measureMarked(): Promise<void> {
  await query("update repository_measurements set due_at = now() where due_at < now() + interval '1 minute'");
  await server.container.hosting.storageMeter.measureDue();
}

async function pushBytes(name: string, bytes: number): Promise<void> {
  const clone = `${git.home}/${name}-${bytes}`;
  await git.ok(["clone", "-q", addressWithToken(server.webUrl, `ada/${name}`, ada.token), clone]);
  await git.commit(clone, { [`file-${bytes}`]: randomBytes(bytes).toString("base64") });
  await git.ok(["push", "-q", "origin", "HEAD"], { cwd: clone });
}

const measuredOf = async (name: string) =>
  (await api("GET", "/admin/storage/repositories?per_page=100")).json.find(
    (one: { full_name: string }) => one.full_name === name,
  );

it("measures a new repository and each push, as du does, and the record shows it", async () => {
  const { id } = (await api("POST", "/repos", ada.token, { name: "tree", auto_init: true })).json;
  expect(await measuredOf("ada/tree")).toMatchObject({ total_bytes: 0, measured_at: null });
  expect((await api("GET", "/admin/storage")).json.unmeasured).toBeGreaterThan(0);
  await measureMarked();
  const begun = await measuredOf("ada/tree");
  expect(begun.git_bytes).toBeGreaterThan(0);
  expect(Date.parse(begun.measured_at)).toBeGreaterThan(Date.now() - 60_000);
  await pushBytes("tree", 300_000);
  await measureMarked();
  const grown = await measuredOf("ada/tree");
  expect(grown.git_bytes).toBeGreaterThan(begun.git_bytes + 200_000);
  const objects = `${server.container.platform.storage.directory(id)}/objects`;
  const du = Number(execFileSync("du", ["-sk", objects], { encoding: "utf8" }).split("\t")[0]);
  // The directories themselves are not counted.
  expect(grown.git_bytes / 1024).toBeLessThanOrEqual(du);
  expect(grown.git_bytes / 1024).toBeGreaterThan(du / 2);
  const shown = (await api("GET", "/repos/ada/tree", ada.token)).json;
  expect(shown.size_kb).toBe(grown.git_bytes / 1024);
  const file = { message: "more", content: randomBytes(50_000).toString("base64"), branch: "main" };
  expect((await api("PUT", "/repos/ada/tree/contents/more.bin", ada.token, file)).status).toBe(200);
  await measureMarked();
  expect((await measuredOf("ada/tree")).git_bytes).toBeGreaterThan(grown.git_bytes + 40_000);
});

it("comes again between an hour and a day, and at once where something changed while it measured", async () => {
  await api("POST", "/repos", ada.token, { name: "calm", auto_init: true });
  await measureMarked();
  const { repository_id: id } = await measuredOf("ada/calm");
  const nextHours = async () => {
    const [row] = await query(
      "select extract(epoch from due_at - now())::float8 / 3600 as hours from repository_measurements where repository_id = $1",
      [id],
    );
    return Math.round(Number(row?.["hours"]));
  };
  expect(await nextHours()).toBe(1);
  for (const [changed, hours] of [
    ["5 hours", 5],
    ["40 days", 24],
  ] as const) {
    await query(
      "update repository_measurements set changed_at = now() - $2::interval, due_at = now() where repository_id = $1",
      [id, changed],
    );
    await measureMarked();
    expect([changed, await nextHours()]).toEqual([changed, hours]);
  }
  const { mark } = server.container.hosting.storageMeter;
  await server.container.platform.db.transaction((tx) => mark(tx, id));
  expect(await nextHours()).toBe(0);
});

it("two servers share the work: each repository is measured by one of them", async () => {
  const beside = await startApiServer({ beside: server });
  try {
    for (let i = 0; i < 6; i++) await api("POST", "/repos", ada.token, { name: `shared-${i}` });
    await query("update repository_measurements set due_at = now()");
    const meters = [server, beside].map(({ container }) => container.hosting.storageMeter.measureDue());
    const measured = (await Promise.all(meters)).reduce((sum, one) => sum + one, 0);
    const [row] = await query("select count(*) as all from repository_measurements");
    expect(measured).toBe(Number(row?.["all"]));
    expect((await api("GET", "/admin/storage")).json.unmeasured).toBe(0);
  } finally {
    await beside.stop();
  }
});

it("a server measures by itself, also what an earlier release has made", async () => {
  await api("POST", "/repos", ada.token, { name: "foundling", auto_init: true });
  await query(
    "delete from repository_measurements m using repositories r where r.id = m.repository_id and r.name = 'foundling'",
  );
  const { hosting, platform } = server.container;
  const measuring = createPeriodicTasks(hosting.storageMeter.periodicTasks, platform.logger);
  measuring.start();
  const isMeasured = async () => (await measuredOf("ada/foundling"))?.git_bytes > 0;
  await eventually(isMeasured).finally(() => void measuring.close());
});

it("a directory that is not there is tried again later, and stops nothing else", async () => {
  for (const name of ["broken", "whole"]) await api("POST", "/repos", ada.token, { name, auto_init: true });
  const { repository_id: id } = await measuredOf("ada/broken");
  await rm(server.container.platform.storage.directory(id), { recursive: true });
  await measureMarked();
  expect((await measuredOf("ada/broken")).measured_at).toBeNull();
  expect((await measuredOf("ada/whole")).git_bytes).toBeGreaterThan(0);
  const [row] = await query(
    "select due_at > now() + interval '5 minutes' as later from repository_measurements where repository_id = $1",
    [id],
  );
  expect(row?.["later"]).toBe(true);
});

it("sums by kind and by owner: logs, deleted repositories, and the audit log in the database", async () => {
  const logged = await repositoryWithLog(server, root, 200_000);
  const body = "x".repeat(1_000);
  await server.api("POST", `/attachments?name=a.txt&repo=${logged.fullName}`, { token: root.token, body });
  await measureMarked();
  const before = (await api("GET", "/admin/storage")).json;
  expect(before.repositories.log_bytes).toBe(logged.storedBytes);
  expect(before.database.bytes > before.database.audit_bytes && before.database.audit_bytes > 0).toBe(true);
  const bytesOf = (one: Record<`${"git" | "log" | "attachment"}_bytes`, number>) =>
    one.git_bytes + one.log_bytes + one.attachment_bytes;
  const [live, gone] = [bytesOf(before.repositories), bytesOf(before.deleted_repositories)];
  expect(before.total_bytes).toBe(before.database.bytes + live + gone);
  const owners = (await api("GET", "/admin/storage/owners")).json;
  expect(owners.map(({ owner }: { owner: string }) => owner).sort()).toEqual(["acme", "ada"]);
  const acme = owners.find(({ owner }: { owner: string }) => owner === "acme");
  expect(acme).toMatchObject({ owner_type: "organization", repositories: 1, attachment_bytes: 1_000 });
  expect(acme.total_bytes).toBe(bytesOf(acme));
  const ofAcme = await api("GET", "/admin/storage/repositories?owner=ACME");
  expect([ofAcme.headers["x-total-count"], ofAcme.json[0].full_name]).toEqual(["1", logged.fullName]);
  const all = (await api("GET", "/admin/storage/repositories?per_page=100")).json;
  const sizes = all.map((one: { total_bytes: number }) => one.total_bytes);
  expect(sizes).toEqual(sizes.toSorted((a: number, b: number) => b - a));
  const first = await api("GET", "/admin/storage/repositories?per_page=1");
  expect([first.json, first.headers.link]).toEqual([[all[0]], expect.stringContaining('rel="next"')]);
  await api("DELETE", `/repos/${logged.fullName}`);
  const after = (await api("GET", "/admin/storage")).json;
  expect(after.deleted_repositories).toMatchObject({ count: 1, log_bytes: logged.storedBytes });
  expect(after.repositories.log_bytes).toBe(0);
  expect(await measuredOf(logged.fullName)).toMatchObject({ deleted: true });
});

it("is for administrators", async () => {
  for (const path of ["/admin/storage", "/admin/storage/owners", "/admin/storage/repositories"]) {
    expect((await api("GET", path, ada.token)).status).toBe(403);
    const narrow = await server.tokenFor(root, ["repo:admin"]);
    expect((await api("GET", path, narrow)).json.required_scopes).toEqual(["org:admin"]);
  }
});

describe("the storage of one enterprise owner", () => {
  const path = (owner: string) => `/admin/storage/owners/${owner}/lfs-quota`;
  const quota = async (owner: string, token = root.token) =>
    (await server.api("GET", path(owner), { token })).json;
  const limit = (owner: string, bytes: unknown, token = root.token) =>
    server.api("PUT", path(owner), { token, body: { limit_bytes: bytes } });
  const setPlan = (plan: string) =>
    server.api("PUT", "/admin/organizations/big/plan", { token: root.token, body: { plan } });
  const upload = async (content: string) =>
    (await lfsUpload(server, "big/art", lfsObject(content), ada.token)).json?.objects?.[0]?.error?.code;

  beforeAll(async () => {
    await server.api("POST", "/orgs", { token: ada.token, body: { name: "big" } });
    for (const name of ["art", "copy"])
      await server.api("POST", "/repos", { token: ada.token, body: { name, owner: "big" } });
  });

  it("is what administrators set, counts each object once, and moves no other owner's", async () => {
    expect(await quota("big")).toEqual({
      owner: "big",
      owner_type: "organization",
      plan: "enterprise",
      limit_bytes: null,
      custom: false,
      used_bytes: 0,
    });
    const [six, five, four] = [6000, 5000, 4096].map((bytes) => "x".repeat(bytes)) as [
      string,
      string,
      string,
    ];
    const set = await limit("BIG", 10_240);
    expect([set.status, set.json]).toEqual([200, await quota("big")]);
    expect(set.json).toMatchObject({ limit_bytes: 10_240, custom: true });
    expect(await upload(six)).toBeUndefined();
    await lfsUpload(server, "big/copy", lfsObject(six), ada.token);
    expect((await quota("big")).used_bytes).toBe(6000);
    expect(await upload(five)).toBe(403);
    expect(await upload(four)).toBeUndefined();
    expect((await quota("ada")).limit_bytes).toBeNull();
    expect((await limit("big", 3)).json).toMatchObject({ limit_bytes: 3, used_bytes: 10_096 });
    expect((await lfsDownload(server, "big/art", lfsObject(four), ada.token)).status).toBe(200);
    expect((await limit("big", null)).json).toMatchObject({ limit_bytes: null, custom: false });
    expect(await upload("as much as you like")).toBeUndefined();
  });

  it("rests while the plan is another", async () => {
    await limit("big", 30);
    await setPlan("organization");
    expect(await quota("big")).toMatchObject({ limit_bytes: 250_000_000_000, custom: false });
    expect((await limit("big", 40)).json).toMatchObject({
      error: "conflict",
      message: expect.stringContaining("enterprise"),
    });
    await setPlan("enterprise");
    expect(await quota("big")).toMatchObject({ limit_bytes: 30, custom: true });
  });

  it("is shown to owners, with what their repositories take, and to nobody else", async () => {
    await setPlan("enterprise");
    await limit("big", 100);
    await measureMarked();
    const own = (path: string, token = ada.token) => server.api("GET", path, { token });
    const { json: big } = await own("/orgs/BIG/storage");
    const { used_bytes: used } = await quota("big");
    expect(used).toBeGreaterThan(0);
    expect(big).toMatchObject({ owner: "big", owner_type: "organization", plan: "enterprise" });
    expect(big.lfs).toEqual({ limit_bytes: 100, custom: true, used_bytes: used });
    expect(big.repositories.count).toBe(2);
    const listed = await own("/orgs/big/storage/repositories");
    expect(listed.headers["x-total-count"]).toBe("2");
    const sum = (key: string) =>
      listed.json.reduce((all: number, one: Record<string, number>) => all + (one[key] ?? 0), 0);
    expect([sum("total_bytes"), sum("lfs_bytes")]).toEqual([big.total_bytes, big.repositories.lfs_bytes]);
    const { json: art } = await own("/repos/big/art/storage");
    const { deleted, ...ofArt } = await measuredOf("big/art");
    expect([deleted, art]).toEqual([false, { ...ofArt, git_limit_bytes: 10_737_418_240 }]);

    const { json: mine } = await own("/user/storage");
    expect(mine).toMatchObject({
      owner: "ada",
      owner_type: "user",
      lfs: { limit_bytes: null, custom: false },
    });
    const { json: repositories } = await own("/user/storage/repositories?per_page=100");
    expect(mine.repositories.count + mine.deleted_repositories.count).toBe(repositories.length);
    expect(repositories.every(({ full_name: name }: { full_name: string }) => name.startsWith("ada/"))).toBe(
      true,
    );

    const eve = await server.person("eve");
    for (const path of ["/orgs/big/storage", "/orgs/big/storage/repositories", "/orgs/big/limits"]) {
      expect((await own(path, eve.token)).status).toBe(404);
      await server.api("PUT", "/orgs/big/members/eve", { token: ada.token, body: { role: "member" } });
      expect((await own(path, eve.token)).status).toBe(403);
      await server.api("DELETE", "/orgs/big/members/eve", { token: ada.token });
    }
    expect((await own("/repos/big/art/storage", eve.token)).status).toBe(404);
    expect((await own("/user/storage", eve.token)).json.repositories.count).toBe(0);
  });

  it("is for administrators and for whole numbers, and is recorded with what was before", async () => {
    expect((await limit("big", 1, ada.token)).status).toBe(403);
    expect((await server.api("GET", path("big"), { token: ada.token })).status).toBe(403);
    expect((await limit("nobody", 1)).status).toBe(404);
    for (const bytes of [-1, 1.5, "9", undefined, 1e16]) expect((await limit("big", bytes)).status).toBe(422);
    const entries = await server.container.platform.db.query(
      `select details, target_type, organization_id is not null as of_organization from audit_log
       where action = 'admin.lfs_quota_change' and target_name = 'big' order by seq limit 2`,
    );
    expect(entries).toEqual(
      [
        { old_limit_bytes: null, limit_bytes: 10_240 },
        { old_limit_bytes: 10_240, limit_bytes: 3 },
      ].map((details) => ({ details, target_type: "organization", of_organization: true })),
    );
  });
});
