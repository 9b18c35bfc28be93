/** R18: who tampers as the owner of the tables, past every trigger, is found, and so is what was tampered with. */
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";
import { makeOrganization, recordChanges, type TestOrganization } from "./fixture.ts";

let server: ApiServer;
let ada: TestPerson;
let owner: pg.Client;
beforeAll(async () => {
  server = await startApiServer();
  ada = await server.person("ada");
  owner = new pg.Client({ connectionString: server.database.ownerUrl });
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await server.stop();
});

const verify = async (org: TestOrganization) =>
  (await server.api("GET", `/orgs/${org.name}/audit-log/verify`, { token: ada.token })).json;

async function chained(name: string): Promise<TestOrganization> {
  const org = await makeOrganization(server, name, { owner: ada });
  await recordChanges(server, org, 5);
  expect(await verify(org)).toMatchObject({ valid: true, entries: 5, head: { seq: 5 }, problem: null });
  await server.container.auditKeeper.keepCheckpoints();
  return org;
}

/** Statements with `$1` for the organization, with all triggers of the log away. */
async function tamper(org: TestOrganization, ...statements: string[]): Promise<void> {
  await owner.query("begin");
  for (const table of ["audit_log", "audit_links"])
    await owner.query(`alter table ${table} disable trigger user`);
  for (const sql of statements) await owner.query(sql.replaceAll("$1", `'${org.id}'`));
  for (const table of ["audit_log", "audit_links"])
    await owner.query(
      `alter table ${table} enable always trigger user`.replace("always trigger user", "trigger user"),
    );
  await owner.query("commit");
}

const nth = (number: number) => `(select entry_seq from audit_links where chain = $1 and number = ${number})`;

it("a chain that nobody touched is valid, and is compared with a point outside the database", async () => {
  const org = await chained("whole");
  const { checkpoint, head } = await verify(org);
  expect([checkpoint.seq, checkpoint.hash]).toEqual([5, head.hash]);
});

it.each([
  [
    "one byte changed",
    "entry_changed",
    3,
    [`update audit_log set actor_username = 'systen' where seq = ${nth(3)}`],
  ],
  ["the time changed", "entry_changed", 2, [`update audit_log set geo = '{}' where seq = ${nth(2)}`]],
  ["one row dropped", "entry_missing", 4, [`delete from audit_log where seq = ${nth(4)}`]],
  [
    "one row dropped, with its link",
    "link_missing",
    3,
    [
      `delete from audit_log where seq = ${nth(2)}`,
      `delete from audit_links where chain = $1 and number = 2`,
    ],
  ],
  [
    "the tail dropped",
    "head_differs",
    3,
    [
      `delete from audit_log where seq in (${nth(4)}, ${nth(5)})`,
      `delete from audit_links where chain = $1 and number > 3`,
    ],
  ],
  [
    "the tail dropped, and the head put back",
    "checkpoint_differs",
    5,
    [
      `delete from audit_log where seq in (${nth(4)}, ${nth(5)})`,
      `delete from audit_links where chain = $1 and number > 3`,
      `update audit_heads h set number = 3, hash = l.hash from audit_links l
       where h.chain = $1 and l.chain = $1 and l.number = 3`,
    ],
  ],
  [
    "two entries exchanged",
    "entry_changed",
    2,
    [
      `update audit_log set details = jsonb_build_object('number', 5 - (details->>'number')::int)
       where seq in (${nth(2)}, ${nth(3)})`,
    ],
  ],
  [
    "an entry put in past the chain",
    "entry_unlinked",
    null,
    [
      `insert into audit_log (id, organization_id, actor_username, action, target_type, target_id, target_name)
       values ('evt_forged', $1, 'eve', 'org.create', '', '', '')`,
    ],
  ],
  [
    "the whole chain rewritten",
    "checkpoint_differs",
    5,
    [
      `delete from audit_links where chain = $1`,
      `delete from audit_heads where chain = $1`,
      `update audit_log set actor_username = 'nobody' where organization_id = $1`,
      `insert into audit_pending select seq, at, organization_id from audit_log where organization_id = $1`,
      `select link_audit_entries()`,
    ],
  ],
])("%s is found", async (what, code, seq, statements) => {
  const org = await chained(what.replaceAll(/\W/g, "-"));
  await tamper(org, ...statements);
  const { valid, problem } = await verify(org);
  expect([valid, problem.code, problem.seq]).toEqual([false, code, seq]);
});

it("a signed point is not replaced by one of a rewritten chain", async () => {
  const org = await chained("laundry");
  const key = `audit/checkpoints/${org.id}.json`;
  const before = await server.container.objects.read(key);
  await tamper(org, `delete from audit_links where chain = $1`, `delete from audit_heads where chain = $1`);
  await recordChanges(server, org, 7);
  await server.container.auditKeeper.link();
  await server.container.auditKeeper.keepCheckpoints();
  expect(await server.container.objects.read(key)).toEqual(before);
  expect(await server.container.metrics.metrics()).toMatch(/forgeline_audit_disagreements_total [1-9]/);
});

it("a point that this instance did not sign is found", async () => {
  const org = await chained("forged");
  const key = `audit/checkpoints/${org.id}.json`;
  const kept = (await server.container.objects.read(key)).toString("utf8");
  await server.container.objects.put(key, Buffer.from(kept.replace('"number":5', '"number":4')));
  expect(await verify(org)).toMatchObject({ valid: false, problem: { code: "checkpoint_forged" } });
});

it("entries of transactions that overlap are linked once each, without a gap, whoever links", async () => {
  const org = await makeOrganization(server, "overlap", { owner: ada });
  const beside = await startApiServer({ beside: server });
  await Promise.all([
    ...Array.from({ length: 6 }, () => recordChanges(server, org, 10)),
    ...Array.from({ length: 6 }, () => recordChanges(beside, org, 10)),
    ...Array.from({ length: 20 }, () => verify(org)),
    ...Array.from({ length: 5 }, () => beside.container.auditKeeper.link()),
  ]);
  expect(await verify(org)).toMatchObject({ valid: true, entries: 120, head: { seq: 120 } });
  await beside.stop();
});
