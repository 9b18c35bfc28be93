/** Whom gates tell by mail, and what: who may approve when they open, who started the run when they end without letting it pass. */
import { afterAll, beforeAll, expect, it } from "vitest";
import type { PlanApproval } from "@forgeline/schemas/pipeline-file/plan-approval.ts";
import { findApprovers } from "@forgeline/server/domains/pipelines/approvals/told.store.ts";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";
import { runAtGate } from "../../../support/run-at-gate.ts";

let server: ApiServer;
let ada: TestPerson;
let ben: TestPerson;
beforeAll(async () => {
  server = await startApiServer();
  [ada, ben] = await Promise.all([server.person("ada"), server.person("ben")]);
  await db().query("update users set email = username || '@example.org' where username in ('ada', 'ben')");
});
afterAll(() => server?.stop());

const db = () => server.container.platform.db;

const waiting = (name: string, rule: Partial<PlanApproval>, of: "job" | "stage" = "job") =>
  runAtGate(server, ada, { name, rule, of });

/** About the run of that repository, the oldest first. */
async function mailsAbout(name: string, kind: "approval_rejected" | "approval_expired") {
  const found = await db().query<{ id: string }>(
    "select id from mails where kind = $1 and subject like $2 order by id",
    [kind, `%ada/${name}#1`],
  );
  return Promise.all(found.map(({ id }) => server.container.operation.mail.get(id)));
}

it("tells those who may approve by mail, once, and at most 50 of them", async () => {
  const run = await waiting("mails", { approvers: ["ada", "ben", "nobody"], message: "Careful." });
  await run.ask();
  const mailed = await db().query<{ id: string; to_address: string; subject: string }>(
    "select id, to_address, subject from mails where kind = 'approval_needed' and subject like '%ada/mails#1'",
  );
  // Ben does not see the repository.
  expect(mailed.map(({ to_address: to, subject }) => `${to}: ${subject}`)).toEqual([
    "ada@example.org: Approval needed: job ship of ada/mails#1",
  ]);
  const { text } = await server.container.operation.mail.get(mailed[0]?.id ?? "");
  expect(text).toContain("> Careful.");
  expect(text).toMatch(
    new RegExp(
      [
        "Repository: ada/mails",
        "Stage: main",
        "Branch: main",
        "Commit: aaaaaaaa test",
        "Started by: ada",
        "May approve: ada, ben or nobody",
        "Until: \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d UTC, after which it fails",
      ].join("\\n"),
    ),
  );
  expect(text).toMatch(/approve or reject: https:.*\/ada\/mails\/pipelines\/1/);

  const names = Array.from({ length: 60 }, (_, i) => `crowd-${i}`);
  await db().query("insert into owners (id, name, kind) select n, n, 'user' from unnest($1::text[]) n", [
    names,
  ]);
  await db().query(
    "insert into users (id, username, email) select n, n, n || '@x.org' from unnest($1::text[]) n",
    [names],
  );
  await waiting("crowd", {});
  await db().query(
    `insert into collaborators (repository_id, user_id, permission)
     select r.id, n, 'write' from repositories r, unnest($1::text[]) n where r.name = 'crowd'`,
    [names],
  );
  const gate = await db().one<{ id: string }>(
    "select id from approval_gates order by opened_at desc limit 1",
  );
  const told = await db().transaction((tx) => findApprovers(tx, gate?.id ?? "", 50));
  expect(new Set(told).size).toBe(50);
});

it("tells who started the run who rejected it and why, but nobody of their own rejection", async () => {
  const run = await waiting("rejected", {}, "stage");
  const path = "/repos/ada/rejected/collaborators/ben";
  await server.api("PUT", path, { token: ada.token, body: { permission: "write" } });
  expect((await run.give(ben, "reject", "Wrong day.")).status).toBe(200);
  await run.ask();
  const [mail, ...more] = await mailsAbout("rejected", "approval_rejected");
  expect(more).toEqual([]);
  expect(mail).toMatchObject({ to: "ada@example.org", subject: "Rejected: stage main of ada/rejected#1" });
  expect(mail?.text).toMatch(
    new RegExp(
      [
        "^The pipeline run ada/rejected#1, which you started, does not get past stage main: it was rejected by ben, so it fails.",
        "",
        "> Wrong day.",
        "",
        "Repository: ada/rejected",
        "Stage: main",
        "Branch: main",
        "Commit: aaaaaaaa test",
        "",
        "Look at the run: https:.*/ada/rejected/pipelines/1",
      ].join("\n"),
    ),
  );

  const own = await waiting("own", {});
  expect((await own.give(ada, "reject", "Changed my mind.")).status).toBe(200);
  expect(await mailsAbout("own", "approval_rejected")).toEqual([]);

  // In a rerun it is about whoever ran it again.
  const again = await waiting("again", {});
  await server.api("PUT", "/repos/ada/again/collaborators/ben", {
    token: ada.token,
    body: { permission: "write" },
  });
  await db().query("update pipelines set sequence = 2 where id = $1", [again.id]);
  await db().query("update approval_gates set sequence = 2 where pipeline_id = $1", [again.id]);
  await db().query(
    `insert into transitions (pipeline_id, node, node_id, new_status, actor)
     select pipeline_id, 'job', id, 'created', 'ben' from jobs where pipeline_id = $1`,
    [again.id],
  );
  expect((await again.give(ada, "reject")).status).toBe(200);
  expect(await mailsAbout("again", "approval_rejected")).toMatchObject([{ to: "ben@example.org" }]);
});

it("tells who started the run that it was not approved in time, once, and only who can see it", async () => {
  const expired = async (name: string, rule: Partial<PlanApproval>) => {
    const run = await waiting(name, rule);
    await db().query("update approval_gates set expires_at = now() where pipeline_id = $1", [run.id]);
    return run;
  };
  const run = await expired("late", { count: 2, approvers: ["ben"], onExpire: "skip" });
  for (let i = 0; i < 2; i += 1) expect(await run.ask()).toMatchObject([{ status: "skipped" }]);
  const [mail, ...more] = await mailsAbout("late", "approval_expired");
  expect(more).toEqual([]);
  expect(mail).toMatchObject({
    to: "ada@example.org",
    subject: "Not approved in time: job ship of ada/late#1",
  });
  expect(mail?.text).toContain("does not get past job ship: it was not approved in time, so it is skipped.");
  expect(mail?.text).toMatch(/^Could be approved until: \d{4}.* UTC\nCould be approved 2 times, by: ben$/m);

  const unseen = await expired("unseen", {});
  // Somebody who started it, and has left the repository since.
  await db().query("update pipelines set triggered_by = $2 where id = $1", [unseen.id, ben.id]);
  expect(await unseen.ask()).toMatchObject([{ status: "failed" }]);
  expect(await mailsAbout("unseen", "approval_expired")).toEqual([]);
});
