/** What administrators do with accounts, organizations and announcements; never without an administrator. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";

let server: ApiServer;
let root: TestPerson;
let ada: TestPerson;
beforeAll(async () => {
  server = await startApiServer();
  root = await server.person("root", { isAdmin: true });
  ada = await server.person("ada");
});
afterAll(() => server.stop());

const asRoot = (method: string, path: string, body?: unknown) =>
  server.api(method, path, { token: root.token, ...(body === undefined ? {} : { body }) });
const kinds = async (query: string) =>
  ((await asRoot("GET", `/admin/audit-log?${query}`)).json as { action: string }[]).map(
    (entry) => entry.action,
  );

describe("accounts", () => {
  it("are listed by name, in pages, and found by a part of it", async () => {
    const { json, headers } = await asRoot("GET", "/admin/users?per_page=1");
    expect(json).toEqual([
      expect.objectContaining({ username: "ada", email: "", type: "user", admin: false, suspended: false }),
    ]);
    expect(headers["x-total-count"]).toBe("2");
    const found = await asRoot("GET", "/admin/users?q=OO");
    expect(found.json.map((user: { username: string }) => user.username)).toEqual(["root"]);
    expect((await asRoot("GET", "/admin/users?q=%25")).json).toEqual([]);
  });

  it("are suspended at once, with what they are recorded as, and let in again", async () => {
    const eva = await server.person("eva");
    const me = () => server.api("GET", "/user", { token: eva.token });
    expect((await me()).status).toBe(200);
    const suspended = await asRoot("PATCH", "/admin/users/EVA", { suspended: true });
    expect([suspended.status, suspended.json.suspended]).toEqual([200, true]);
    expect((await me()).status).toBe(401);
    await asRoot("PATCH", "/admin/users/eva", { suspended: true });
    await asRoot("PATCH", "/admin/users/eva", { suspended: false });
    expect((await me()).status).toBe(200);
    expect(await kinds("q=eva&action=user.*")).toEqual(["user.unsuspend", "user.suspend"]);
  });

  it("get plans and become administrators, and what changed is recorded", async () => {
    const changed = await asRoot("PATCH", "/admin/users/ada", { admin: true, plan: "pro" });
    expect(changed.json).toMatchObject({ admin: true, plan: "pro" });
    expect((await server.api("GET", "/admin/users", { token: ada.token })).status).toBe(200);
    await asRoot("PATCH", "/admin/users/ada", { admin: false });
    expect((await server.api("GET", "/admin/users", { token: ada.token })).status).toBe(403);
    const [, first] = (await asRoot("GET", "/admin/audit-log?action=admin.user_change")).json;
    expect(first.details).toEqual({ admin: true, old_admin: false, old_plan: "enterprise", plan: "pro" });
  });

  it.each([
    ["nobody", { admin: true }, 404],
    ["ada", { admin: "yes" }, 422],
    ["ada", { plan: "gold" }, 422],
    ["ada", { name: "x" }, 422],
    ["root", { suspended: true }, 409],
    ["root", { admin: false }, 409],
  ])("%s with %j is %i and changes nothing", async (name, body, status) => {
    const before = (await asRoot("GET", `/admin/users?per_page=100`)).json;
    expect((await asRoot("PATCH", `/admin/users/${name}`, body)).status).toBe(status);
    expect((await asRoot("GET", `/admin/users?per_page=100`)).json).toEqual(before);
  });

  it("always have an administrator among them, also when two take the power from each other at once", async () => {
    const other = await server.person("other", { isAdmin: true });
    for (let round = 0; round < 5; round += 1) {
      const answers = await Promise.all([
        server.api("PATCH", "/admin/users/other", { token: root.token, body: { admin: false } }),
        server.api("PATCH", "/admin/users/root", { token: other.token, body: { suspended: true } }),
      ]);
      expect(answers.map((answer) => answer.status)).toContain(200);
      const { db } = server.container.platform;
      const left = await db.query("select 1 from users where is_admin and not suspended");
      expect(left.length).toBeGreaterThan(0);
      await db.query(
        "update users set is_admin = true, suspended = false where username in ('root', 'other')",
      );
      await db.transaction((tx) => tx.notify("token", ""));
    }
  });
});

describe("organizations", () => {
  it("are listed, and get a plan that their own log shows", async () => {
    await server.api("POST", "/orgs", { token: ada.token, body: { name: "acme" } });
    const { json } = await asRoot("GET", "/admin/organizations?q=ACM");
    expect(json).toEqual([expect.objectContaining({ name: "acme", plan: "enterprise" })]);
    const changed = await asRoot("PUT", "/admin/organizations/Acme/plan", { plan: "free" });
    expect([changed.status, changed.json.plan]).toEqual([200, "free"]);
    expect((await asRoot("PUT", "/admin/organizations/none/plan", { plan: "free" })).status).toBe(404);
    const log = await server.api("GET", "/orgs/acme/audit-log?action=admin.*", { token: ada.token });
    expect(log.json[0]).toMatchObject({
      action: "admin.plan_change",
      actor: { username: "root" },
      details: { old_plan: "enterprise", plan: "free" },
    });
  });
});

describe("announcements", () => {
  it("take a time at any offset, and none that is not in the years 0001 to 9999", async () => {
    const add = (ends_at: string) => asRoot("POST", "/admin/announcements", { message: "Soon", ends_at });
    const made = await add("2999-01-01T23:00:00+23:00");
    expect([made.status, made.json.ends_at]).toEqual([201, "2999-01-01T00:00:00.000Z"]);
    expect((await asRoot("DELETE", `/admin/announcements/${made.json.id}`)).status).toBe(204);
    const refused = { status: 422, json: { errors: [{ field: "ends_at" }] } };
    expect(await add("9999-12-31T23:59:59-12:00")).toMatchObject(refused);
    const starts_at = "0000-01-01T00:00:00Z";
    const early = await asRoot("POST", "/admin/announcements", { message: "Soon", starts_at });
    expect(early).toMatchObject({ status: 422, json: { errors: [{ field: "starts_at" }] } });
  });

  const shown = async () =>
    ((await server.api("GET", "/meta")).json.announcements as { message: string }[]).map(
      (each) => each.message,
    );

  it("are shown to everybody from their beginning to their end, or until they are taken back", async () => {
    const now = await asRoot("POST", "/admin/announcements", {
      message: "Upgrade tonight",
      level: "warning",
    });
    expect([now.status, now.headers.location]).toEqual([201, now.json.url]);
    await asRoot("POST", "/admin/announcements", { message: "Later", starts_at: "2999-01-01T00:00:00Z" });
    const past = { starts_at: "2020-01-01T00:00:00Z", ends_at: "2020-01-02T00:00:00Z" };
    await asRoot("POST", "/admin/announcements", { message: "Over", ...past });
    expect(await shown()).toEqual(["Upgrade tonight"]);
    expect((await asRoot("GET", "/admin/announcements")).headers["x-total-count"]).toBe("3");
    expect((await asRoot("GET", `/admin/announcements/${now.json.id}`)).json).toEqual(now.json);
    expect((await asRoot("DELETE", `/admin/announcements/${now.json.id}`)).status).toBe(204);
    expect((await asRoot("DELETE", `/admin/announcements/${now.json.id}`)).status).toBe(404);
    expect(await shown()).toEqual([]);
    expect(await kinds("action=admin.announcement_delete&q=tonight")).toEqual(["admin.announcement_delete"]);
  });

  it.each([
    [{}, "message"],
    [{ message: " " }, "message"],
    [{ message: "a\u202Eb" }, "message"],
    [{ message: "x", level: "loud" }, "level"],
    [{ message: "x", ends_at: "2020-01-01T00:00:00Z" }, "ends_at"],
  ])("with %j are refused, naming the field", async (body, field) => {
    const { status, json } = await asRoot("POST", "/admin/announcements", body);
    expect([status, json.errors[0].field]).toEqual([422, field]);
  });
});

it.each(["/admin/users", "/admin/users/ada", "/admin/organizations", "/admin/announcements"])(
  "%s is for administrators with org:admin",
  async (path) => {
    expect((await server.api("GET", path, { token: ada.token })).status).toBe(403);
    expect((await server.api("GET", path)).status).toBe(401);
    const narrow = await server.tokenFor(root, ["org:read"]);
    expect((await server.api("GET", path, { token: narrow })).json.required_scopes).toEqual(["org:admin"]);
  },
);
