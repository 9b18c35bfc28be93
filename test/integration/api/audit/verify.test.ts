/** R18: who tampers as the owner of the tables, past every trigger, is found, and so is what was tampered with. */
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
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
  await server.container.operation.auditMaintenance.keepCheckpoints();
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
    "an entry given to the instance",
    "entry_changed",
    3,
    [`update audit_log set organization_id = null where seq = ${nth(3)}`],
  ],
  [
    "an entry taken away before its link",
    "entry_missing",
    null,
    [`insert into audit_pending (entry_seq, entry_at, chain) values (999999, now(), $1)`],
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
  const before = await server.container.platform.objects.read(key);
  await tamper(org, `delete from audit_links where chain = $1`, `delete from audit_heads where chain = $1`);
  await recordChanges(server, org, 7);
  await server.container.operation.auditMaintenance.link();
  await server.container.operation.auditMaintenance.keepCheckpoints();
  expect(await server.container.platform.objects.read(key)).toEqual(before);
  expect(await server.container.platform.metrics.metrics()).toMatch(
    /forgeline_audit_disagreements_total [1-9]/,
  );
});

it("a point that this instance did not sign is found", async () => {
  const org = await chained("forged");
  const key = `audit/checkpoints/${org.id}.json`;
  const kept = (await server.container.platform.objects.read(key)).toString("utf8");
  await server.container.platform.objects.put(key, Buffer.from(kept.replace('"number":5', '"number":4')));
  expect(await verify(org)).toMatchObject({ valid: false, problem: { code: "checkpoint_forged" } });
});

it("entries of transactions that overlap are linked once each, without a gap, whoever links", async () => {
  const org = await makeOrganization(server, "overlap", { owner: ada });
  const beside = await startApiServer({ beside: server });
  await Promise.all([
    ...Array.from({ length: 6 }, () => recordChanges(server, org, 10)),
    ...Array.from({ length: 6 }, () => recordChanges(beside, org, 10)),
    ...Array.from({ length: 20 }, () => verify(org)),
    ...Array.from({ length: 5 }, () => beside.container.operation.auditMaintenance.link()),
  ]);
  expect(await verify(org)).toMatchObject({ valid: true, entries: 120, head: { seq: 120 } });
  await beside.stop();
});

describe("a proof in parts", () => {
  const part = async (org: TestOrganization, query: string) =>
    (await server.api("GET", `/orgs/${org.name}/audit-log/verify?${query}`, { token: ada.token })).json;

  async function inParts(org: TestOrganization, limit: number) {
    const answers = [await part(org, `limit=${limit}`)];
    while (answers.at(-1).next) answers.push(await part(org, `limit=${limit}&cursor=${answers.at(-1).next}`));
    return answers;
  }

  it("says nothing of the whole before its end, and then the same as in one", async () => {
    const org = await chained("parts");
    const answers = await inParts(org, 2);
    expect(answers.map(({ valid, entries }) => [valid, entries])).toEqual([
      [null, 2],
      [null, 4],
      // The links end here, and two of five entries are looked at.
      [null, 5],
      [null, 5],
      [true, 5],
    ]);
    expect(answers.at(-1)).toEqual(await verify(org));
    expect((await inParts(org, 5)).map(({ valid }) => valid)).toEqual([null, null, true]);
  });

  it("finds in a later part what is wrong there, and what was changed of an earlier one meanwhile", async () => {
    const org = await chained("late");
    await tamper(org, `update audit_log set geo = '{}' where seq = ${nth(4)}`);
    const answers = await inParts(org, 3);
    expect(answers.map(({ valid, problem }) => [valid, problem?.seq])).toEqual([
      [null, undefined],
      [false, 4],
    ]);
    const again = await chained("meanwhile");
    const { next } = await part(again, "limit=2");
    await tamper(
      again,
      `update audit_links set hash = sha256(hash) where chain = $1 and number = 2`,
      `update audit_log set geo = '{}' where seq = ${nth(2)}`,
    );
    expect(await part(again, `cursor=${next}`)).toMatchObject({
      valid: false,
      problem: { code: "checkpoint_differs", seq: 2 },
    });
    const stray = await chained("stray");
    await tamper(
      stray,
      `insert into audit_log (id, organization_id, actor_username, action, target_type, target_id, target_name)
       values ('evt_later', $1, 'eve', 'org.create', '', '', '')`,
    );
    expect((await inParts(stray, 2)).at(-1)).toMatchObject({ valid: false, problem: { id: "evt_later" } });
  });

  it("goes on only from what this instance signed, about this very chain", async () => {
    const org = await chained("mine");
    const other = await chained("theirs");
    const { next } = await part(org, "limit=2");
    const [body = "", signature] = next.split(".");
    const position = JSON.parse(Buffer.from(body, "base64url").toString("utf8"));
    const forged = Buffer.from(JSON.stringify({ ...position, number: 4 })).toString("base64url");
    const ask = (name: string, cursor: string) =>
      server.api("GET", `/orgs/${name}/audit-log/verify?cursor=${cursor}`, { token: ada.token });
    for (const [name, cursor] of [
      [other.name, next],
      [org.name, `${forged}.${signature}`],
      [org.name, `${body}.AAAA`],
      [org.name, "x"],
      [org.name, `${next}.x`],
    ])
      expect([cursor, (await ask(name, cursor)).status]).toEqual([cursor, 400]);
    for (const limit of ["0", "100001", "x"])
      expect(
        (await server.api("GET", `/orgs/${org.name}/audit-log/verify?limit=${limit}`, { token: ada.token }))
          .status,
      ).toBe(400);
    expect((await ask(org.name, next)).json).toMatchObject({ valid: true, entries: 5 });
  });

  it("two at a time in a server; more are asked to come again", async () => {
    const org = await chained("busy");
    await owner.query("begin");
    await owner.query("lock table audit_links in access exclusive mode");
    const asked = Array.from({ length: 3 }, () =>
      server.api("GET", `/orgs/${org.name}/audit-log/verify`, { token: ada.token }),
    );
    const first = await Promise.race(asked);
    await owner.query("rollback");
    expect([first.status, first.headers["retry-after"]]).toEqual([503, "2"]);
    expect((await Promise.all(asked)).map(({ status }) => status).sort((a, b) => a - b)).toEqual([
      200, 200, 503,
    ]);
  });
});

it("the function that links takes no more than its bound, and entries that are gone hold up nobody", async () => {
  const org = await makeOrganization(server, "bounded", { owner: ada });
  const beside = await owner.query("select count(*)::int as n from audit_pending where chain = $1", [org.id]);
  expect(beside.rows).toEqual([{ n: 0 }]);
  await owner.query("begin");
  // Nobody links meanwhile.
  await owner.query("select pg_advisory_xact_lock(7310445)");
  await owner.query(
    `insert into audit_log (id, organization_id, actor_username, action, target_type, target_id, target_name)
     select 'evt_' || n, $1, 'ada', 'org.settings_change', 'organization', $1, 'bounded' from generate_series(1, 11100) n`,
    [org.id],
  );
  await owner.query("alter table audit_log disable trigger user");
  await owner.query(
    "delete from audit_log where organization_id = $1 and id in (select 'evt_' || n from generate_series(1, 10) n)",
    [org.id],
  );
  await owner.query("alter table audit_log enable trigger user");
  const { rows } = await owner.query(
    `select link_audit_entries(-1) as negative, link_audit_entries(5) as five, link_audit_entries(null) as thousand,
       link_audit_entries(2147483647) as max`,
  );
  expect(rows).toEqual([{ negative: 0, five: 5, thousand: 1000, max: 10000 }]);
  await owner.query("rollback");
});
