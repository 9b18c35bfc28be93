/** Entries of the audit log are kept for as long as a plan says, no shorter and no longer, and the chain proves what is left. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AuditEntry, AuditVerification } from "@forgeline/schemas/audit/resource.ts";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";
import { openPast, type Past, type PastEntry } from "../../../support/past-audit-entries.ts";
import { makeOrganization, recordChanges, type TestOrganization } from "./fixture.ts";

let server: ApiServer;
let ada: TestPerson;
let past: Past;
let owner: Past["owner"];
beforeAll(async () => {
  server = await startApiServer();
  ada = await server.person("ada", { isAdmin: true });
  past = await openPast(server);
  owner = past.owner;
  await owner.query("select make_audit_partitions(now() - interval '14 months', 15)");
});
afterAll(async () => {
  await past?.close();
  await server?.stop();
});

let made = 0;
const get = async (path: string) => (await server.api("GET", path, { token: ada.token })).json;

async function verify(log: string, limit = 100_000): Promise<AuditVerification> {
  let part = (await get(`${log}/verify?limit=${limit}`)) as AuditVerification;
  while (part.next !== null)
    part = (await get(`${log}/verify?limit=${limit}&cursor=${part.next}`)) as AuditVerification;
  return part;
}

const idsOf = async (log: string) =>
  ((await get(`${log}?per_page=100`)) as AuditEntry[]).map(({ id }) => id).toReversed();

const logOf = ({ name }: TestOrganization) => `/orgs/${name}/audit-log`;

async function organization(name: string, plan: string): Promise<TestOrganization> {
  const org = await makeOrganization(server, name, { owner: ada });
  await past.setPlan("organizations", org.id, plan);
  return org;
}

const ofOrg = (org: TestOrganization, ...daysAgo: number[]) =>
  past.record(daysAgo.map((each) => ({ daysAgo: each, orgId: org.id })));

const days = [4000, 366, 364, 181, 179, 31, 29];
it.each([
  ["free", 6],
  ["pro", 4],
  ["organization", 2],
  ["enterprise", 0],
] as const)("the plan %s: the first %i entries are removed", async (plan, gone) => {
  const org = await organization(`plan-${plan}`, plan);
  const ids = await ofOrg(org, ...days);
  await past.expire();
  expect(await idsOf(logOf(org))).toEqual(ids.slice(gone));
  expect(await verify(logOf(org))).toMatchObject({
    valid: true,
    entries: 7,
    expired: gone,
    head: { seq: 7 },
    problem: null,
  });
});

describe("a chain of which the beginning has expired", () => {
  it("goes on, is proved in parts of any size, and agrees with its checkpoint", async () => {
    const org = await organization("goes-on", "free");
    await ofOrg(org, 50, 45, 40, 20, 10);
    await server.container.operation.auditMaintenance.keepCheckpoints();
    const before = await verify(logOf(org));
    await past.expire();
    expect(await verify(logOf(org))).toMatchObject({ valid: true, expired: 3, head: before.head });
    await recordChanges(server, org, 4);
    for (const limit of [1, 2, 3, 100])
      expect(await verify(logOf(org), limit)).toMatchObject({ valid: true, entries: 9, expired: 3 });
    await server.container.operation.auditMaintenance.keepCheckpoints();
    expect(await verify(logOf(org))).toMatchObject({ valid: true, checkpoint: { seq: 9 } });
  });

  it("is empty once all has expired, and the next entry follows the last one", async () => {
    const org = await organization("all-gone", "free");
    await ofOrg(org, 50, 45);
    await server.container.operation.auditMaintenance.keepCheckpoints();
    await past.expire();
    expect(await idsOf(logOf(org))).toEqual([]);
    expect(await verify(logOf(org))).toMatchObject({ valid: true, entries: 2, expired: 2, head: { seq: 2 } });
    await recordChanges(server, org, 1);
    expect(await verify(logOf(org))).toMatchObject({ valid: true, entries: 3, expired: 2 });
    expect(((await get(logOf(org))) as AuditEntry[])[0]?.seq).toBe(3);
  });

  it("is proved from a cursor whose entry has expired since", async () => {
    const org = await organization("cursor", "free");
    await ofOrg(org, 50, 45, 40, 10, 5);
    const { next } = (await get(`${logOf(org)}/verify?limit=2`)) as AuditVerification;
    await past.expire();
    const rest = (await get(`${logOf(org)}/verify?cursor=${next}`)) as AuditVerification;
    expect(rest).toMatchObject({ valid: true, entries: 5, problem: null });
  });
});

it("a shorter plan counts after 30 days, and of several changes the longest one", async () => {
  const org = await organization("downgraded", "enterprise");
  const ids = await ofOrg(org, 300, 100, 40, 5);
  for (const plan of ["pro", "free"])
    await server.api("PUT", `/admin/organizations/${org.name}/plan`, { token: ada.token, body: { plan } });
  await owner.query("update organizations set plan = 'pro' where id = $1", [org.id]);
  await owner.query("update organizations set plan = 'free' where id = $1", [org.id]);
  await past.expire();
  expect((await idsOf(logOf(org))).slice(0, 4)).toEqual(ids);
  await owner.query("update organizations set plan_changed_at = now() - interval '31 days' where id = $1", [
    org.id,
  ]);
  await past.expire();
  expect((await idsOf(logOf(org)))[0]).toBe(ids[3]);
  expect(await verify(logOf(org))).toMatchObject({ valid: true, expired: 3 });
});

it("in the instance's log each entry is kept by the plan of its user, and all together are one chain", async () => {
  const users: Record<string, string> = {};
  for (const plan of ["free", "pro", "enterprise"]) {
    const { id } = await server.person(`of-${plan}`);
    await past.setPlan("users", id, plan);
    users[plan] = id;
  }
  const log = "/admin/audit-log";
  const start = (await verify(log)).entries;
  const free = users["free"] ?? "";
  const entries: (PastEntry & { isKept: boolean })[] = [
    { daysAgo: 400, action: "admin.plan_change", actorId: free, isKept: true },
    { daysAgo: 400, action: "auth.login", target: free, isKept: false },
    { daysAgo: 400, action: "auth.login", target: users["enterprise"] ?? "", isKept: true },
    { daysAgo: 400, action: "auth.login_failure", target: "", isKept: false },
    { daysAgo: 200, action: "auth.login_failure", target: "", isKept: true },
    { daysAgo: 200, action: "auth.login", target: users["pro"] ?? "", isKept: false },
    { daysAgo: 100, action: "user.email_add", target: users["pro"] ?? "", isKept: true },
    // Whose account it is about counts, not who acted.
    { daysAgo: 100, action: "user.suspend", target: free, actorId: users["enterprise"] ?? "", isKept: false },
    { daysAgo: 100, action: "repo.create", actorId: free, isKept: false },
    { daysAgo: 20, action: "auth.login", target: free, isKept: true },
  ];
  const ids = await past.record(entries);
  await past.expire();
  const left = new Set(await idsOf(log));
  expect(ids.map((id) => left.has(id))).toEqual(entries.map(({ isKept }) => isKept));
  for (const limit of [1, 3, 100])
    expect(await verify(log, limit)).toMatchObject({ valid: true, entries: start + 10, expired: 5 });
  const anchors = async () =>
    (
      await owner.query("select first, last from audit_anchors where chain = 'instance' order by first")
    ).rows.map(({ first, last }) => [Number(first) - start, Number(last) - start]);
  expect(await anchors()).toEqual([
    [2, 2],
    [4, 4],
    [6, 6],
    [8, 9],
  ]);
  // When what is between them expires, they become one.
  await past.setPlan("users", users["pro"] ?? "", "free");
  await past.expire();
  expect(await anchors()).toEqual([
    [2, 2],
    [4, 4],
    [6, 9],
  ]);
  expect(await verify(log)).toMatchObject({ valid: true, expired: 6 });
});

/** With all triggers of the log away. */
async function tamper(...statements: string[]): Promise<void> {
  const all = (what: string) =>
    ["audit_log", "audit_links"].map((table) => `alter table ${table} ${what} trigger user;`);
  await owner.query(
    ["begin", ...all("disable"), ...statements, ...all("enable"), "commit"].join(";").replaceAll(";;", ";"),
  );
}

it.each([
  [
    "an entry after it is removed too",
    "link_missing",
    (chain: string) => [
      `delete from audit_log where seq = (select entry_seq from audit_links where chain = '${chain}' and number = 4)`,
      `delete from audit_links where chain = '${chain}' and number = 4`,
    ],
  ],
  [
    "an entry after it is removed, and it is made longer",
    "anchor_forged",
    (chain: string) => [
      `update audit_anchors set last = 4, hash = l.hash from audit_links l
     where audit_anchors.chain = '${chain}' and l.chain = '${chain}' and l.number = 4`,
      `delete from audit_log where seq = (select entry_seq from audit_links where chain = '${chain}' and number = 4)`,
      `delete from audit_links where chain = '${chain}' and number = 4`,
    ],
  ],
  [
    "it is removed",
    "link_missing",
    (chain: string) => [`delete from audit_anchors where chain = '${chain}'`],
  ],
  [
    "its signature is another one",
    "anchor_forged",
    (chain: string) => [`update audit_anchors set signature = sha256('x') where chain = '${chain}'`],
  ],
  [
    "it is that of another chain",
    "anchor_forged",
    (chain: string) => [
      `update audit_anchors a set signature = b.signature from audit_anchors b
     where a.chain = '${chain}' and b.chain <> a.chain and b.first = 1`,
    ],
  ],
])("an anchor does not hide what was done to a chain: %s", async (_what, code, statements) => {
  const org = await organization(`tampered-${made++}`, "free");
  await ofOrg(org, 50, 45, 40, 20, 10);
  await past.expire();
  expect(await verify(logOf(org))).toMatchObject({ valid: true, expired: 3 });
  await tamper(...statements(org.id));
  expect(await verify(logOf(org))).toMatchObject({ valid: false, problem: { code } });
});

it("an entry that somebody changed is kept although its time is over, and is found", async () => {
  const org = await organization("changed", "free");
  const [first = "", second = ""] = await ofOrg(org, 50, 45, 40, 10);
  await tamper(`update audit_log set actor_username = 'innocent' where id = '${second}'`);
  await past.expire();
  expect(await idsOf(logOf(org))).toContain(second);
  expect(await idsOf(logOf(org))).not.toContain(first);
  expect(await verify(logOf(org))).toMatchObject({
    valid: false,
    problem: { code: "entry_changed", seq: 2 },
  });
});

it("the application's role removes nothing whose time is not over, and permits itself nothing", async () => {
  const org = await organization("guarded", "free");
  await ofOrg(org, 50, 20, 10);
  const { db } = server.container.platform;
  const attempts = [
    `select remove_audit_entries('${org.id}', '{1}', '{2}')`,
    `select remove_audit_entries('${org.id}', '{2}', '{9223372036854775807}')`,
    "insert into audit_permits values (pg_current_xact_id())",
    "delete from audit_log where seq = 1",
    "update audit_removed set entries = 0",
  ];
  for (const sql of attempts)
    await expect(db.query(sql as never), sql).rejects.toMatchObject({ code: "42501" });
  expect(await idsOf(logOf(org))).toHaveLength(3);
});

it("months of which little is left become small, and empty ones go", async () => {
  const [short, long] = [
    await organization("short-lived", "free"),
    await organization("long-lived", "enterprise"),
  ];
  // What was empty after the tests before is gone.
  await owner.query("select make_audit_partitions(now() - interval '14 months', 15)");
  await ofOrg(short, 130, 130, 130, 100, 100, 100);
  const kept = await ofOrg(long, 100);
  const partitions = async () =>
    (
      await owner.query(
        "select inhrelid::regclass::text as name from pg_inherits where inhparent = 'audit_log'::regclass",
      )
    ).rows.map(({ name }) => name as string);
  const nameOf = async (daysAgo: number) =>
    (
      await owner.query(
        "select 'audit_log_' || to_char((now() - make_interval(days => $1)) at time zone 'UTC', 'YYYY_MM') as name",
        [daysAgo],
      )
    ).rows[0].name as string;
  const [empty, small] = [await nameOf(130), await nameOf(100)];
  for (const name of [empty, small]) await owner.query(`analyze ${name}`);
  const filenode = async () =>
    (await owner.query("select relfilenode from pg_class where relname = $1", [small])).rows[0].relfilenode;
  const before = await filenode();
  await owner.query(`update audit_removed set entries = 1000 where partition_name = any ($1)`, [
    [empty, small],
  ]);
  await past.expire();
  await owner.query(`update audit_removed set entries = 1000 where partition_name = any ($1)`, [
    [empty, small],
  ]);
  await past.expire();
  expect(await partitions()).not.toContain(empty);
  expect(await partitions()).toContain(small);
  expect(await filenode()).not.toBe(before);
  expect(await idsOf(logOf(long))).toEqual(kept);
  expect(await verify(logOf(long))).toMatchObject({ valid: true });
  await expect(owner.query(`delete from ${small}`)).rejects.toMatchObject({ code: "42501" });
});
