/** The audit log is append-only: for the application by its role, for everyone by a trigger. */
import { readdir, readFile } from "node:fs/promises";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { migrate } from "@forgeline/server/platform/db/migrate.ts";
import { testDatabase, type TestDatabase } from "../../support/database.ts";

const thisMonth = `audit_log_${new Date().toISOString().slice(0, 7).replace("-", "_")}`;
let database: TestDatabase;
let app: pg.Client;
let owner: pg.Client;

beforeAll(async () => {
  database = await testDatabase();
  await migrate(database.ownerUrl);
  app = new pg.Client({ connectionString: database.url });
  owner = new pg.Client({ connectionString: database.ownerUrl });
  await Promise.all([app.connect(), owner.connect()]);
  await app.query(
    `insert into audit_log (id, actor_username, action, target_type, target_id, target_name)
     values ('evt_1', 'ada', 'repo.create', 'repository', 'repo_1', 'ada/one')`,
  );
});

afterAll(async () => {
  await Promise.all([app.end(), owner.end()]);
  await database.drop();
});

const entries = async () => (await owner.query("select id, actor_username from audit_log")).rows as unknown[];

describe("the application's role", () => {
  it.each([
    ["changes an entry", "update audit_log set actor_username = 'eve'"],
    ["deletes an entry", "delete from audit_log"],
    ["empties the table", "truncate audit_log"],
    ["empties it through another table", "truncate users cascade"],
    [
      "overwrites by upsert",
      "insert into audit_log overriding system value select * from audit_log on conflict (seq, at) do update set id = ''",
    ],
    ["chooses the place", "insert into audit_log (seq, id) overriding system value values (9, '')"],
    ["chooses the time", "insert into audit_log (id, at) values ('', '2020-01-01')"],
    ["goes past the table to its partition", "insert into audit_log_default (id) values ('')"],
    ["reads or empties a partition", `truncate ${thisMonth}`],
    ["drops a partition", `drop table ${thisMonth}`],
    ["detaches a partition", `alter table audit_log detach partition ${thisMonth}`],
    ["links by hand", "insert into audit_links select 'instance', 1, 1, now(), ''"],
    ["changes a link", "update audit_links set hash = ''"],
    ["changes a head", "update audit_heads set number = 0"],
    ["takes an entry from those that wait", "delete from audit_pending"],
    ["calls the trigger's function", "alter function await_audit_link() owner to forgeline_app"],
    ["alters the table", "alter table audit_log add column note text"],
    ["disables the trigger", "alter table audit_log disable trigger all"],
    ["drops the trigger", "drop trigger audit_log_append_only on audit_log"],
    [
      "replaces the trigger's function",
      "create or replace function refuse_audit_change() returns trigger language plpgsql as 'begin return null; end'",
    ],
    ["drops the table", "drop table audit_log"],
    ["puts another table before it", "create table audit_log_2 (id text)"],
    ["adds a rule", "create rule quiet as on insert to audit_log do instead nothing"],
    ["turns triggers off for its session", "set session_replication_role = replica"],
    ["turns back the sequence", "select setval('audit_log_seq_seq', 1)"],
    ["takes the owner's role", "set role forgeline_owner"],
    ["forges the list of migrations", "insert into schema_migrations (name) values ('9999_none.sql')"],
  ])("is refused when it %s", async (_what, sql) => {
    const before = await entries();
    await expect(app.query(sql)).rejects.toThrow(/permission denied|must be owner/);
    expect(await entries()).toEqual(before);
  });

  it("may add and read", async () => {
    const read = await app.query("select action from audit_log where target_id = 'repo_1'");
    expect(read.rows).toEqual([{ action: "repo.create" }]);
  });
});

describe("the owner of the tables", () => {
  it.each([
    ["update audit_log set actor_username = 'eve'"],
    ["delete from audit_log"],
    ["truncate audit_log"],
    [`update ${thisMonth} set actor_username = 'eve'`],
    [`delete from ${thisMonth}`],
    [`truncate ${thisMonth}`],
    ["delete from audit_log_default"],
    ["update audit_links set hash = ''"],
    ["truncate audit_links"],
  ])("is stopped by the trigger: %s", async (sql) => {
    await expect(owner.query(sql)).rejects.toThrow("append-only");
    expect(await entries()).toHaveLength(1);
  });
});

describe("partitions", () => {
  const partitions = async () =>
    (
      await owner.query<{ name: string }>(
        "select inhrelid::regclass::text as name from pg_inherits where inhparent = 'audit_log'::regclass order by 1",
      )
    ).rows.map((row) => row.name);

  it("are there for this month and the next ones, made by the application's role and guarded", async () => {
    expect(await partitions()).toContain(thisMonth);
    expect(await partitions()).toHaveLength(5);
    await app.query("select make_audit_partitions('2031-12-05', 1)");
    await app.query("select make_audit_partitions('2031-12-05', 1)");
    expect(await partitions()).toEqual(expect.arrayContaining(["audit_log_2031_12", "audit_log_2032_01"]));
    await expect(owner.query("truncate audit_log_2031_12")).rejects.toThrow("append-only");
    await expect(app.query("select * from audit_log_2031_12")).rejects.toThrow("permission denied");
  });

  it("may be missing: entries wait in the default one, and move along unchanged when their month is made", async () => {
    const add = (time: string) =>
      owner.query(
        `insert into audit_log (id, at, actor_username, action, target_type, target_id, target_name)
         values ('evt_2', $1::timestamptz, 'ada', 'repo.create', 'repository', 'repo_2', 'ada/two')`,
        [time],
      );
    const places = async () =>
      (
        await owner.query<{ place: string }>(
          "select tableoid::regclass::text as place from audit_log where target_id = 'repo_2' order by seq",
        )
      ).rows.map(({ place }) => place);
    const rows = async () =>
      (
        await owner.query(
          "select to_jsonb(e) as entry from audit_log e where target_id = 'repo_2' order by seq",
        )
      ).rows;
    await add("2040-05-31T23:59:59.999Z");
    await add("2040-06-01T00:00:00.000Z");
    await add("2040-07-01T00:00:00.000Z");
    expect(await places()).toEqual(Array(3).fill("audit_log_default"));
    const before = await rows();
    const made = await app.query("select make_audit_partitions('2040-05-01', 1) as made");
    expect(made.rows).toEqual([{ made: 2 }]);
    expect(await places()).toEqual(["audit_log_2040_05", "audit_log_2040_06", "audit_log_default"]);
    expect(await rows()).toEqual(before);
    await add("2040-05-02T00:00:00.000Z");
    expect((await places()).at(-1)).toBe("audit_log_2040_05");
    // The wall of what they left stands again, also for sessions without ordinary triggers.
    await expect(owner.query("delete from audit_log_default")).rejects.toThrow("append-only");
    const { rows: walls } = await owner.query(
      `select t.tgenabled from pg_trigger t join pg_class c on c.oid = t.tgrelid
       where t.tgname = 'audit_log_append_only' and c.relname in ('audit_log_default', 'audit_log_2040_05')`,
    );
    expect(walls).toEqual([{ tgenabled: "A" }, { tgenabled: "A" }]);
    await owner.query("select link_audit_entries()");
    const { rows: linked } = await owner.query(
      `select count(*)::int as n from audit_links l join audit_log e on e.seq = l.entry_seq and e.at = l.entry_at
       where e.target_id = 'repo_2'`,
    );
    expect(linked).toEqual([{ n: 4 }]);
  });
});

it("entries from before there were chains survive the migrations and are linked; those of one event have one time", async () => {
  const old = await testDatabase();
  const client = new pg.Client({ connectionString: old.ownerUrl });
  await client.connect();
  await client.query(
    "drop schema public cascade; create schema public; grant usage on schema public to public",
  );
  await client.query(
    "create table schema_migrations (name text primary key, applied_at timestamptz default now())",
  );
  const directory = new URL("../../../server/platform/db/migrations/", import.meta.url);
  for (const name of (await readdir(directory)).sort().filter((file) => file < "0034")) {
    await client.query(await readFile(new URL(name, directory), "utf8"));
    await client.query("insert into schema_migrations (name) values ($1)", [name]);
  }
  await client.query(
    `insert into audit_log (id, at, actor_username, action, target_type, target_id, target_name)
     select 'evt_' || n, timestamptz '2026-08-01Z' + n * interval '1 day', 'ada', 'repo.create', 'repository', n::text, ''
     from generate_series(1, 100) n`,
  );
  await migrate(old.ownerUrl);
  await client.query("select link_audit_entries()");
  const { rows } = await client.query(
    `select count(*)::int as entries, count(distinct e.tableoid)::int as months,
       bool_and(e.id = 'evt_' || l.number) as in_order
     from audit_log e join audit_links l on l.entry_seq = e.seq and l.chain = 'instance'`,
  );
  expect(rows).toEqual([{ entries: 100, months: 4, in_order: true }]);
  const columns = "id, actor_username, action, target_type, target_id, target_name";
  const event = await client.query(
    `with told as (
       insert into audit_log (${columns}) values ('evt_a', 'ada', 'auth.login', 'user', 'usr_1', 'ada') returning at),
     copied as (
       insert into audit_log (${columns}) select 'evt_b', 'ada', 'auth.login', 'user', 'usr_1', 'ada' from told, pg_sleep(0.02)
       returning at)
     select told.at = copied.at as same from told, copied`,
  );
  expect(event.rows).toEqual([{ same: true }]);
  await client.end();
  await old.drop();
});
