/** Mails about repositories of an organization go to the address that somebody chose for it; digests are apart; a removed one counts no more. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { newId } from "@forgeline/server/platform/ids.ts";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";
import { eventually } from "../../../support/eventually.ts";
import { mailServer, type MailServer } from "../../../support/mail-server.ts";

let smtp: MailServer;
let server: ApiServer;
let ada: TestPerson;
let ben: TestPerson;
let workId: string;
let following: Promise<unknown> | undefined;
const stopping = new AbortController();
const settings = "/user/notification-settings";

const send = (person: TestPerson, method: string, path: string, body?: unknown) =>
  server.api(method, path, { token: person.token, ...(body === undefined ? {} : { body }) });
const ok = async (person: TestPerson, method: string, path: string, body?: unknown) => {
  const answer = await send(person, method, path, body);
  expect([path, answer.status < 300, answer.text]).toEqual([path, true, answer.text]);
  return answer.json as { organization_addresses: unknown[] };
};
const sql = (text: string, params: unknown[] = []) => server.container.platform.db.query(text, params);

async function addAddress(person: TestPerson, email: string, verifiedAt: string | null): Promise<string> {
  const id = newId("eml");
  const row = [id, person.id, email, verifiedAt];
  await sql("insert into user_emails (id, user_id, email, verified_at) values ($1, $2, $3, $4)", row);
  return id;
}

beforeAll(async () => {
  smtp = await mailServer();
  server = await startApiServer({
    env: {
      FORGELINE_SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
      FORGELINE_MAIL_FROM: "forge@example.com",
    },
  });
  ada = await server.person("ada");
  ben = await server.person("ben");
  await addAddress(ben, "ben@example.com", new Date().toISOString());
  await sql("update users set email = 'ben@example.com' where id = $1", [ben.id]);
  workId = await addAddress(ben, "ben@acme.example", new Date().toISOString());
  for (const name of ["acme", "club"]) {
    await ok(ada, "POST", "/orgs", { name });
    await ok(ada, "POST", "/repos", { name: "app", owner: name, private: true });
    await ok(ada, "PUT", `/repos/${name}/app/collaborators/ben`, { permission: "read" });
  }
  following = server.container.automation.followerRunner.run("notifications", stopping.signal);
});
afterAll(async () => {
  stopping.abort();
  await following;
  await server?.stop();
  smtp?.server.close();
});
beforeEach(() => void smtp.taken.splice(0));

/** To whom each mail went, and of which repositories it speaks, when all is told and sent. */
async function mails(): Promise<string[]> {
  await eventually(async () => {
    const [left] = await sql(
      `select (select count(*) from tellings) + (select count(*) from events e, event_followers f where f.name = 'notifications'
          and e.position > f.position) + (select count(*) from notification_mails where mail_id is null and due_at <= now())
          + (select count(*) from mails where kind = 'notification' and sent_at is null) as left`,
    );
    if (Number(left?.["left"]) > 0)
      await server.container.platform.db.transaction((tx) => tx.notify("mail", ""));
    return Number(left?.["left"]) === 0;
  });
  const told = smtp.taken.map((mail) => {
    const repositories = new Set(mail.match(/(acme|club)\/app/g));
    return `${/^To: (.*)$/m.exec(mail)?.[1]}: ${[...repositories].join(", ")}`;
  });
  return told.toSorted();
}
const openIssues = async () => {
  for (const name of ["acme", "club"])
    await ok(ada, "POST", `/repos/${name}/app/issues`, { title: "Lights flicker", body: "@ben" });
};

test("only an own address that is verified is taken, once for each organization that there is", async () => {
  expect((await ok(ben, "GET", settings)).organization_addresses).toEqual([]);
  const unverified = await addAddress(ben, "ben@later.example", null);
  const foreign = await addAddress(ada, "ada@acme.example", new Date().toISOString());
  const refused = async (...addresses: unknown[]) => {
    const answer = await send(ben, "PATCH", settings, { digest: "daily", organization_addresses: addresses });
    expect(answer.status).toBe(422);
    return (answer.json as { errors: { field: string }[] }).errors[0]?.field;
  };
  for (const id of [unverified, foreign, newId("eml")])
    expect(await refused({ organization: "acme", email_id: id })).toBe("organization_addresses.0.email_id");
  const good = { organization: "acme", email_id: workId };
  expect(await refused(good, { ...good, organization: "ACME" })).toBe("organization_addresses");
  for (const organization of ["nobody", "ada"])
    expect(await refused(good, { ...good, organization })).toBe("organization_addresses.1.organization");
  expect(await ok(ben, "GET", settings)).toMatchObject({ digest: "immediately", organization_addresses: [] });
});

test("mails of the organization go there, all others where they went", async () => {
  const chosen = { organization_addresses: [{ organization: "Acme", email_id: workId }] };
  const shown = { organization_addresses: [{ organization: "acme", email_id: workId }] };
  expect(await ok(ben, "PATCH", settings, chosen)).toMatchObject(shown);
  expect(await ok(ben, "PATCH", settings, { mail_watching: true })).toMatchObject(shown);
  await openIssues();
  expect(await mails()).toEqual(["ben@acme.example: acme/app", "ben@example.com: club/app"]);
});

test("a digest for each address holds nothing that belongs to another", async () => {
  await ok(ben, "PATCH", settings, { digest: "daily", digest_at: "00:00" });
  await openIssues();
  await openIssues();
  expect(await mails()).toEqual([]);
  await sql("update notification_mails set due_at = now()");
  expect(await mails()).toEqual(["ben@acme.example: acme/app", "ben@example.com: club/app"]);
});

test("when the address is removed, mails that wait and later ones go where all others go", async () => {
  await openIssues();
  await mails();
  await ok(ben, "DELETE", `/user/emails/${workId}`);
  expect((await ok(ben, "GET", settings)).organization_addresses).toEqual([]);
  await sql("update notification_mails set due_at = now()");
  expect(await mails()).toEqual(["ben@example.com: acme/app, club/app"]);
});
