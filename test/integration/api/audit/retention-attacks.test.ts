/** Nobody who can write to the database, but does not have the instance's key, makes an expiry hide what they did. */
import { afterAll, beforeAll, expect, it } from "vitest";
import type { AuditVerification } from "@forgeline/schemas/audit/resource.ts";
import { signAllAgain } from "@forgeline/server/domains/operation/audit/anchor-signatures.ts";
import { createAnchorSigner } from "@forgeline/server/domains/operation/audit/anchors.ts";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";
import { openPast, type Past } from "../../../support/past-audit-entries.ts";
import { makeOrganization } from "./fixture.ts";

let server: ApiServer;
let ada: TestPerson;
let past: Past;
beforeAll(async () => {
  server = await startApiServer();
  ada = await server.person("ada", { isAdmin: true });
  past = await openPast(server);
  await past.owner.query("select make_audit_partitions(now() - interval '14 months', 15)");
});
afterAll(async () => {
  await past?.close();
  await server?.stop();
});

const verify = async (log: string): Promise<AuditVerification> =>
  (await server.api("GET", `${log}/verify`, { token: ada.token })).json as AuditVerification;

interface Attacked {
  id: string;
  log: string;
}

let made = 0;
async function organization(plan: string, ...daysAgo: number[]): Promise<Attacked> {
  const name = `attacked-${made++}`;
  const { id } = await makeOrganization(server, name, { owner: ada });
  await past.setPlan("organizations", id, plan);
  await past.record(daysAgo.map((each) => ({ daysAgo: each, orgId: id })));
  return { id, log: `/orgs/${name}/audit-log` };
}

const keepCheckpoints = () => server.container.operation.auditMaintenance.keepCheckpoints();

/** With all triggers of the log away. */
async function tamper(...statements: string[]): Promise<void> {
  const all = (what: string) =>
    ["audit_log", "audit_links"].map((table) => `alter table ${table} ${what} trigger user`);
  await past.owner.query(["begin", ...all("disable"), ...statements, ...all("enable"), "commit"].join(";"));
}

const remove = (chain: string, number: number) => [
  `delete from audit_log where seq = (select entry_seq from audit_links where chain = '${chain}' and number = ${number})`,
  `delete from audit_links where chain = '${chain}' and number = ${number}`,
];
const hashOf = (chain: string, number: number) =>
  `(select hash from audit_links where chain = '${chain}' and number = ${number})`;
const forge = (chain: string, number: number) =>
  `insert into audit_anchors (chain, first, last, before, hash, signature)
   values ('${chain}', ${number}, ${number}, ${hashOf(chain, number - 1)}, ${hashOf(chain, number)}, 'x')`;
/** Another actor, and all hashes from there to another number. */
const rewrite = (chain: string, from: number, to: number) => [
  `update audit_log set actor_username = 'innocent' where seq = (
     select entry_seq from audit_links where chain = '${chain}' and number = ${from})`,
  ...Array.from({ length: to - from + 1 }, (_, at) => {
    const number = from + at;
    return `update audit_links l set hash = sha256(
        coalesce(${hashOf(chain, number - 1)}, decode(repeat('00', 32), 'hex'))
        || convert_to(audit_canonical(e, '${chain}', ${number}), 'UTF8'))
      from audit_log e where l.chain = '${chain}' and l.number = ${number} and e.seq = l.entry_seq`;
  }),
];

it("an anchor that is not ours is not joined with one of ours", async () => {
  const { id, log } = await organization("pro", 200, 200, 100, 10, 5);
  await past.expire();
  await tamper(forge(id, 4), ...remove(id, 4));
  expect(await verify(log)).toMatchObject({ valid: false, problem: { code: "anchor_forged" } });
  await past.setPlan("organizations", id, "free");
  await past.expire();
  expect(await verify(log)).toMatchObject({ valid: false, problem: { code: "anchor_forged", seq: 4 } });
});

it("an anchor that is not ours is not signed when the key is replaced", async () => {
  const { id, log } = await organization("enterprise", 5, 5, 5);
  await tamper(forge(id, 2), ...remove(id, 2));
  const { db, instanceKeys, logger } = server.container.platform;
  await signAllAgain({ db, logger, signer: createAnchorSigner(instanceKeys.signer("audit")) });
  expect(await verify(log)).toMatchObject({ valid: false, problem: { code: "anchor_forged" } });
});

it("an anchor that nobody signed does not stand for an end that was cut off", async () => {
  const { id, log } = await organization("enterprise", 5, 5, 5, 5, 5);
  await keepCheckpoints();
  await tamper(
    ...[5, 4, 3].flatMap((number) => remove(id, number)),
    `update audit_heads set number = 2, hash = ${hashOf(id, 2)} where chain = '${id}'`,
    `insert into audit_anchors values ('${id}', 5, 1000000, 'x', 'x', 'x')`,
  );
  expect(await verify(log)).toMatchObject({ valid: false, problem: { code: "checkpoint_differs" } });
});

it("an anchor that nobody signed agrees with no checkpoint", async () => {
  const { id, log } = await organization("enterprise", 5, 5, 5);
  await keepCheckpoints();
  await tamper(
    `insert into audit_anchors (chain, first, last, before, hash, signature)
     values ('${id}', 2, 3, ${hashOf(id, 1)}, ${hashOf(id, 3)}, 'x')`,
    ...[3, 2].flatMap((number) => remove(id, number)),
  );
  const { problem } = await server.container.operation.checkpoints.compare(id);
  expect(problem).toMatchObject({ code: "checkpoint_differs" });
  expect(await verify(log)).toMatchObject({ valid: false, problem: { code: "anchor_forged" } });
});

it("what was rewritten up to its end does not expire, so that its checkpoint goes on telling", async () => {
  const { id, log } = await organization("pro", 100, 100, 100, 100);
  await keepCheckpoints();
  await tamper(...rewrite(id, 2, 4), `update audit_heads set hash = ${hashOf(id, 4)} where chain = '${id}'`);
  expect(await verify(log)).toMatchObject({ valid: false, problem: { code: "checkpoint_differs" } });
  await past.setPlan("organizations", id, "free");
  await past.expire();
  expect(await verify(log)).toMatchObject({
    valid: false,
    expired: 0,
    problem: { code: "checkpoint_differs" },
  });
});

it("a link whose time was changed keeps its entry, and is found", async () => {
  const { id, log } = await organization("free", 50, 50, 5);
  await tamper(
    `update audit_links set entry_at = entry_at - interval '1 day' where chain = '${id}' and number = 2`,
  );
  await past.expire();
  expect(await verify(log)).toMatchObject({
    valid: false,
    expired: 1,
    problem: { code: "entry_missing", seq: 2 },
  });
});

it("deleting an organization removes nothing of its log for a year", async () => {
  const { id } = await organization("enterprise", 500, 300);
  await past.owner.query("delete from owners where id = $1", [id]);
  const left = async () =>
    (await past.owner.query("select 1 from audit_log where organization_id = $1", [id])).rows.length;
  await past.expire();
  expect(await left()).toBe(2);
  await past.owner.query(
    "update audit_former_owners set deleted_at = now() - interval '13 months' where owner = $1",
    [id],
  );
  await past.expire();
  expect(await left()).toBe(1);
});

it("a row that makes one chain fail holds up no other", async () => {
  const bad = await organization("free", 50, 50);
  const good = await organization("free", 50, 50);
  await server.container.platform.db.query(
    `insert into audit_anchors values ('${bad.id}', 1, 1, 'x', 'x', 'x')` as never,
  );
  await expect(past.expire()).rejects.toMatchObject({ code: "23505" });
  expect(await verify(good.log)).toMatchObject({ valid: true, expired: 2 });
  await past.owner.query("delete from audit_anchors where chain = $1", [bad.id]);
});

it("an entry that is kept cannot be changed behind an anchor that did not follow it", async () => {
  const [pro, free] = [await server.person("of-pro"), await server.person("of-free")];
  await past.setPlan("users", pro.id, "pro");
  await past.setPlan("users", free.id, "free");
  const log = "/admin/audit-log";
  const { entries: start } = await verify(log);
  await past.record([
    { daysAgo: 100, action: "admin.plan_change" },
    { daysAgo: 100, action: "auth.login", target: pro.id },
    { daysAgo: 100, action: "auth.login", target: free.id },
    { daysAgo: 100, action: "admin.plan_change" },
  ]);
  await past.expire();
  expect(await verify(log)).toMatchObject({ valid: true, expired: 1 });
  await tamper(...rewrite("instance", start + 1, start + 2));
  expect(await verify(log)).toMatchObject({ valid: false, problem: { code: "link_missing" } });
  await past.setPlan("users", pro.id, "free");
  await past.expire();
  expect(await verify(log)).toMatchObject({ valid: false, problem: { code: "link_missing" } });
});
