/** Mails of what people are told: with their headers, once, and to nobody who may or wants to read it no more. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createTransport, type SendMailOptions } from "nodemailer";
import { openInboundMail, type InboundMailServer } from "@forgeline/server/edges/inbound-mail/server.ts";
import { createMetrics } from "@forgeline/server/platform/metrics.ts";
import { newId } from "@forgeline/server/platform/ids.ts";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";
import { branchesOver } from "../../../support/branches-over-rest.ts";
import { eventually } from "../../../support/eventually.ts";
import { mailServer, type MailServer } from "../../../support/mail-server.ts";

let smtp: MailServer;
let server: ApiServer;
let ada: TestPerson;
let ben: TestPerson;
let inbound: InboundMailServer | undefined;
let following: Promise<unknown> | undefined;
const stopping = new AbortController();
const at = "/repos/acme/app";
const settings = "/user/notification-settings";

const send = (person: TestPerson, method: string, path: string, body?: unknown) =>
  server.api(method, path, { token: person.token, ...(body === undefined ? {} : { body }) });
const ok = async (person: TestPerson, method: string, path: string, body?: unknown) => {
  const answer = await send(person, method, path, body);
  expect([path, answer.status < 300, answer.text]).toEqual([path, true, answer.text]);
  return answer.json as { number: number };
};
const sql = (text: string, params: unknown[] = []) => server.container.platform.db.query(text, params);
const web = (method: string, path: string, body?: string) =>
  server.api(method, `/${path}`, body === undefined ? {} : { body });
const wake = () => server.container.platform.db.transaction((tx) => tx.notify("mail", ""));

beforeAll(async () => {
  smtp = await mailServer();
  server = await startApiServer({
    env: {
      FORGELINE_SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
      FORGELINE_MAIL_FROM: "forge@example.com",
      FORGELINE_INBOUND_MAIL_ADDRESS: "reply@example.com",
      FORGELINE_INBOUND_MAIL_PORT: "0",
    },
  });
  inbound = await openInboundMail(server.container);
  ada = await server.person("ada");
  ben = await server.person("ben");
  for (const { id, username } of [ada, ben]) {
    const email = `${username}@example.com`;
    await sql("insert into user_emails (id, user_id, email, verified_at) values ($1, $2, $3, now())", [
      newId("eml"),
      id,
      email,
    ]);
    await sql("update users set email = $2 where id = $1", [id, email]);
  }
  await ok(ada, "POST", "/orgs", { name: "acme" });
  await ok(ada, "POST", "/repos", { name: "app", owner: "acme", private: true, readme: true });
  await ok(ada, "PUT", `${at}/collaborators/ben`, { permission: "read" });
  following = server.container.automation.followerRunner.run("notifications", stopping.signal);
});
afterAll(async () => {
  stopping.abort();
  await following;
  await inbound?.close();
  await server?.stop();
  smtp?.server.close();
});
beforeEach(() => void smtp.taken.splice(0));

/** When all that happened is told, and what is due is sent or dropped. */
async function settled(): Promise<void> {
  await eventually(async () => {
    const [left] = await sql(
      `select (select count(*) from tellings) + (select count(*) from events e, event_followers f where f.name = 'notifications'
          and e.position > f.position) + (select count(*) from notification_mails where mail_id is null and due_at <= now())
          + (select count(*) from mails where kind = 'notification' and sent_at is null) as left`,
    );
    if (Number(left?.["left"]) > 0) await wake();
    return Number(left?.["left"]) === 0;
  });
}
const openIssue = async (body: object) =>
  (await ok(ada, "POST", `${at}/issues`, { title: "Lights flicker", ...body })).number;
/** Without the breaks of long lines. */
const read = (mail = "") =>
  mail
    .replaceAll("=\n", "")
    .replaceAll("=3D", "=")
    .replaceAll(/\n[ \t]+/g, " ");

test("who is mentioned gets one mail, and ends further ones by the address in it, without signing in", async () => {
  const number = await openIssue({ body: "@ben look, @ben", assignees: ["ben"] });
  await settled();
  expect(smtp.taken).toHaveLength(1);
  const mail = read(smtp.taken[0]);
  expect(mail).toContain("To: ben@example.com");
  expect(mail).toMatch(/From: "?ada \(Forgeline\)"? <forge@example\.com>/);
  expect(mail).toContain(`Subject: [acme/app] Lights flicker (#${number})`);
  expect(mail).toMatch(new RegExp(`Message-ID: <acme/app/issues/${number}@`));
  expect(mail).toContain("List-Unsubscribe-Post: List-Unsubscribe=One-Click");
  expect(mail).toContain("X-Forgeline-Reason: mention");
  const path = /List-Unsubscribe: <https:\/\/[^/]+(\/[^>]+)>/.exec(mail)?.[1] ?? "";
  // Programs that look at addresses change nothing.
  const asked = await web("GET", path);
  expect([asked.status, asked.text.includes("<button>")]).toEqual([200, true]);
  expect(asked.text).not.toContain("flicker");
  await ok(ada, "POST", `${at}/issues/${number}/comments`, { body: "More." });
  await settled();
  expect(smtp.taken).toHaveLength(2);
  expect(read(smtp.taken[1])).toMatch(new RegExp(`In-Reply-To: <acme/app/issues/${number}@`));
  expect((await web("POST", path, "List-Unsubscribe=One-Click")).status).toBe(200);
  expect(await ok(ben, "GET", `${at}/issues/${number}/subscription`)).toMatchObject({ muted: "thread" });
  await ok(ada, "POST", `${at}/issues/${number}/comments`, { body: "And more." });
  await settled();
  expect(smtp.taken).toHaveLength(2);
  expect((await web("POST", `${path}x`)).status).toBe(404);
});

test("a mail of closing does not repeat the description", async () => {
  const number = await openIssue({ body: "@ben the description" });
  await ok(ada, "PATCH", `${at}/issues/${number}`, { state: "closed" });
  await settled();
  const [opened, closed] = smtp.taken.map(read);
  expect(opened).toContain("the description");
  expect(closed).toContain("ada closed this issue.");
  expect(closed).not.toContain("the description");
});

test("nothing is sent to those who lost access, muted it or turned mails off in between", async () => {
  await ok(ben, "PATCH", settings, { digest: "daily", digest_at: "00:00" });
  const due = async (change: () => Promise<unknown>) => {
    const number = await openIssue({ body: "@ben secret" });
    await settled();
    await change();
    await sql("update notification_mails set due_at = now()");
    await wake();
    await settled();
    return number;
  };
  await due(() => ok(ada, "DELETE", `${at}/collaborators/ben`));
  await ok(ada, "PUT", `${at}/collaborators/ben`, { permission: "read" });
  await due(() => ok(ben, "PUT", `${at}/subscription`, { level: "muted" }));
  await ok(ben, "DELETE", `${at}/subscription`);
  await due(() => sql("update users set suspended = true where username = 'ben'"));
  await sql("update users set suspended = false where username = 'ben'");
  await due(() => ok(ben, "PATCH", settings, { mail_participating: false }));
  await ok(ben, "PATCH", settings, { mail_participating: true });
  expect(smtp.taken).toEqual([]);
  await due(async () => {
    await openIssue({ body: "@ben the second", title: "Doors stick" });
    await settled();
  });
  expect(smtp.taken).toHaveLength(1);
  expect(read(smtp.taken[0])).toContain("Subject: [Forgeline] 2 notifications");
  expect(read(smtp.taken[0])).toContain("Doors stick");
  // What waits is sent as somebody chooses now.
  await openIssue({ body: "@ben third" });
  await settled();
  await ok(ben, "PATCH", settings, { digest: "immediately" });
  await settled();
  expect(smtp.taken).toHaveLength(2);
});

test("settings are as somebody chose them, and refuse what cannot be", async () => {
  const quiet = { from: "22:00", to: "07:00", days: ["mon", "sun"] };
  const chosen = { time_zone: "Europe/Berlin", quiet_hours: quiet, mail_watching: false };
  expect(await ok(ada, "PATCH", settings, chosen)).toMatchObject({
    ...chosen,
    mail_participating: true,
    email_id: null,
  });
  expect(await ok(ada, "PATCH", settings, { quiet_hours: null })).toMatchObject({
    ...chosen,
    quiet_hours: null,
  });
  const [own] = (await ok(ada, "GET", "/user/emails")) as unknown as { id: string }[];
  expect(await ok(ada, "PATCH", settings, { email_id: own?.id })).toMatchObject({ email_id: own?.id });
  const [foreign] = (await ok(ben, "GET", "/user/emails")) as unknown as { id: string }[];
  for (const refused of [
    { email_id: foreign?.id },
    { time_zone: "Mars/Olympus" },
    { digest_at: "24:00" },
    { quiet_hours: { ...quiet, days: [] } },
  ])
    expect((await send(ada, "PATCH", settings, refused)).status).toBe(422);
});

interface Comment {
  body: string;
  author: { username: string };
}
const commentsOf = async (number: number) =>
  (await ok(ada, "GET", `${at}/issues/${number}/comments`)) as unknown as Comment[];
const replyTo = () => /Reply-To: (\S+)/.exec(read(smtp.taken.at(-1)))?.[1] ?? "";

/** As the operator's mail server would. */
async function answer(
  to: string,
  mail: SendMailOptions,
  { port, lmtp }: { port: number; lmtp?: boolean } = { port: inbound?.port ?? 0 },
): Promise<void> {
  const transport = createTransport({ host: "127.0.0.1", port, lmtp: lmtp ?? false, ignoreTLS: true });
  await transport.sendMail({ from: "Ben <ben@example.com>", to, subject: "Re: x", ...mail });
}

test("an answer becomes a comment, once; automatic and forged ones are dropped", async () => {
  const number = await openIssue({ body: "@ben see" });
  await settled();
  const to = replyTo();
  expect(to).toMatch(/^reply\+[0-9a-f]{44}@example\.com$/);
  const text = "It **works**.\n\nOn Mon, 1 Mar 2027, ada wrote:\n> see\n";
  const attachments = [{ filename: "a.txt", content: "x" }];
  await answer(to, { text, attachments, messageId: "<1@example.com>" });
  await answer(to.toUpperCase(), { text, attachments, messageId: "<1@example.com>" });
  await answer(to, { text, headers: { "Auto-Submitted": "auto-replied" } });
  await answer(to, { text, headers: { Precedence: "bulk" } });
  await answer(to, { text, envelope: { from: "", to } });
  await answer(to, { text, from: "ada@example.com" });
  await answer(to, { text, from: "Ben <ben@example.com>, ada@example.com" });
  const twice = ["From: ben@example.com", "From: ada@example.com"];
  for (const froms of [twice, twice.toReversed()])
    await answer(to, {
      raw: [...froms, `To: ${to}`, "Subject: Re: x", "", "Forged."].join("\r\n"),
      envelope: { from: "ben@example.com", to },
    });
  await answer(to, {
    html: "<p>And <b>this</b></p><img src='https://evil.example/x.png'><script>x</script>",
  });
  const comments = await commentsOf(number);
  expect(comments.map(({ body }) => body)).toEqual([
    "It **works**.\n\n_(1 attachment of the mail was left out.)_",
    "And this",
  ]);
  expect(comments[0]?.author.username).toBe("ben");
  const forged = to.replace(/.(?=@)/, (digit) => (digit === "0" ? "1" : "0"));
  for (const wrong of ["reply+00@example.com", forged])
    await expect(answer(wrong, { text })).rejects.toThrow("There is no such address");
  const envelope = { from: "ben@example.com", to };
  for (const bytes of [1_200_000, 30_000_000])
    await expect(answer(to, { raw: Buffer.alloc(bytes, "x\r\n"), envelope })).rejects.toThrow(/552/);
});

test("an answer about a comment on lines goes into its thread, over LMTP too", async () => {
  const { platform, collaboration, config } = server.container;
  const lmtp = await openInboundMail({
    collaboration,
    config: { inboundMail: { ...config.inboundMail, protocol: "lmtp" } },
    platform: { ...platform, metrics: createMetrics() },
  });
  await settled();
  const { put, branch } = branchesOver((...request) => send(ada, ...request), at);
  await put("main", "a.txt", "one\ntwo\n");
  await branch("fix", { "a.txt": "one\nTWO\n" });
  const { number } = await ok(ada, "POST", `${at}/merge-requests`, { title: "Fix", source_branch: "fix" });
  const threads = `${at}/merge-requests/${number}/threads`;
  const thread = (await ok(ada, "POST", threads, {
    path: "a.txt",
    line: 2,
    body: "@ben why?",
  })) as unknown as {
    id: string;
  };
  await settled();
  expect(read(smtp.taken.at(-1))).toMatch(
    /Subject: \[acme\/app\] Fix \(![^]*ada commented on a\.txt, line 2:/,
  );
  await answer(replyTo(), { text: "Because." }, { port: lmtp?.port ?? 0, lmtp: true });
  const comments = (await ok(ada, "GET", `${threads}/${thread.id}/comments`)) as unknown as Comment[];
  expect(comments.map(({ body }) => body)).toEqual(["@ben why?", "Because."]);
  await lmtp?.close();
});

test("who may not comment there any more is told so in few words, and not for ever", async () => {
  const number = await openIssue({ body: "@ben look", title: "Very secret" });
  await settled();
  const to = replyTo();
  await ok(ada, "PUT", `${at}/issues/${number}/lock`, {});
  smtp.taken.splice(0);
  await answer(to, { text: "Still?" });
  await eventually(() => smtp.taken.length === 1);
  expect(read(smtp.taken[0])).toMatch(/Auto-Submitted: auto-generated[^]*The conversation is locked/);
  await ok(ada, "DELETE", `${at}/collaborators/ben`);
  for (let count = 0; count < 6; count += 1) await answer(to, { text: `Still? ${count}` });
  await eventually(() => smtp.taken.length === 5);
  expect(read(smtp.taken[1])).toContain("The conversation is gone, or you may no longer read it.");
  expect(smtp.taken.join("\n")).not.toContain("secret");
  await settled();
  expect(smtp.taken).toHaveLength(5);
  expect(await commentsOf(number)).toEqual([]);
});
