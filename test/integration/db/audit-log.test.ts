/** The audit log is append-only: for the application by its role, for everyone by a trigger. */
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { migrate } from "@forgeline/server/db/migrate.ts";
import { testDatabase, type TestDatabase } from "../../support/database.ts";

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
      "insert into audit_log overriding system value select * from audit_log on conflict (seq) do update set id = ''",
    ],
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
  ])("is stopped by the trigger: %s", async (sql) => {
    await expect(owner.query(sql)).rejects.toThrow("append-only");
    expect(await entries()).toHaveLength(1);
  });
});
