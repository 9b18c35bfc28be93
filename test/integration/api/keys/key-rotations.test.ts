/** The instance's key is replaced while two servers serve: nothing that was encrypted or signed before is lost. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generateSync } from "otplib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { keyRotationWorkflowId } from "@forgeline/schemas/keys/workflow.ts";
import { startApiServer, type ApiServer } from "../../../support/api-server.ts";
import { readBed } from "../../../support/bed.ts";
import { openBrowser, signUp } from "../../../support/browser.ts";
import { eventually } from "../../../support/eventually.ts";
import { insertLeasedAttempt } from "../../../support/leased-attempt.ts";
import { lfsBatch, lfsCall, lfsObject, send as sendLfs } from "../../../support/lfs-server.ts";
import { openPast } from "../../../support/past-audit-entries.ts";
import { startProvider, type TestProvider } from "../../../support/oidc-provider.ts";
import { openVisitor, organizationWithSso } from "../../../support/sso.ts";
import { signatureOf } from "../../../support/webhook-receiver.ts";
import { startWebhookBed, type Hooked, type WebhookBed } from "../../../support/webhook-bed.ts";

const password = "a long enough password";
let directory: string;
let provider: TestProvider;
let bed: WebhookBed;
let first: ApiServer;
let second: ApiServer;
let besides: Record<string, string>;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "forgeline-keys-"));
  provider = await startProvider();
  const keyFile = join(directory, "instance.key");
  // As an instance has it that is older than keyrings.
  await writeFile(keyFile, `${Buffer.alloc(32, 9).toString("base64")}\n`);
  const authorities = await Promise.all(
    [(await readBed()).certificates.caFile, provider.caFile].map((file) => readFile(file, "utf8")),
  );
  await writeFile(join(directory, "ca.pem"), authorities.join("\n"));
  const env = {
    FORGELINE_KEY_FILE: keyFile,
    FORGELINE_SIGN_UP: "open",
    FORGELINE_OUTBOUND_ALLOW: "127.0.0.1,::1",
    FORGELINE_OUTBOUND_CA_FILE: join(directory, "ca.pem"),
  };
  // Longer than the other server needs to see a new key.
  const periods = { keyLeadMs: 4_000, keepOldKeysMs: 0 };
  bed = await startWebhookBed({ name: "key-rotations", worker: true, periods, env });
  first = bed.server;
  // Either may hand a rotation over to the worker.
  besides = { ...env, FORGELINE_TASK_QUEUE: first.config.temporal.taskQueue };
  second = await startApiServer({ beside: first, env: besides, periods });
}, 60_000);
afterAll(async () => {
  await second.stop();
  await bed.close();
  await provider.stop();
  await rm(directory, { recursive: true, force: true });
});

const admin = async (method: string, path: string) => {
  const answer = await bed.send(method, path);
  if (answer.status >= 400) throw new Error(answer.text);
  return answer.json;
};
interface ShownKey {
  id: string;
  state: string;
  encrypted: Record<string, number>;
}
const keysNow = async () => (await admin("GET", "/admin/keys"))["keys"] as ShownKey[];
const total = (key: ShownKey | undefined) =>
  Object.values(key?.encrypted ?? {}).reduce((sum, count) => sum + count, 0);
const removeUnused = () =>
  first.container.operation.unusedKeys.upkeepTasks[0]!.run(new AbortController().signal);

const rotate = async () => ended(await begin());

async function begin(): Promise<string> {
  const { status, json } = await bed.send("POST", "/admin/key-rotations");
  expect(status).toBe(202);
  return json["id"] as string;
}

function ended(id: string): Promise<Record<string, unknown>> {
  return eventually(
    async () => {
      const now = await admin("GET", `/admin/key-rotations/${id}`);
      return now["state"] !== "running" && now;
    },
    { timeoutMs: 40_000 },
  );
}

/** An account with a second factor; its recovery codes. */
async function protectedUser(username: string): Promise<{ secret: string; codes: string[] }> {
  await signUp(first, username, password);
  const browser = openBrowser(first);
  await browser.signIn(username, password);
  const { secret } = (await browser.send("POST", "/user/two-factor", { password })).json as {
    secret: string;
  };
  const otp = generateSync({ secret });
  const { json } = await browser.send("PUT", "/user/two-factor", { otp });
  return { secret, codes: json["recovery_codes"] as string[] };
}

const signIn = (server: ApiServer, username: string, otp: string) =>
  openBrowser(server).signIn(username, password, { otp });

/** Who a browser is signed in as that went through the provider; for that the server sends the client secret. */
async function throughProvider(): Promise<string | undefined> {
  const visitor = openVisitor(first, provider);
  await visitor.signIn("acme");
  await visitor.submit("/login/sso-account/new", { username: "nina" });
  return visitor.whoAmI();
}

async function deliveryIsSigned(hooked: Hooked): Promise<boolean> {
  const before = hooked.received().length;
  await hooked.change();
  const last = await eventually(() => hooked.received().length > before && hooked.received().at(-1), {
    timeoutMs: 20_000,
  });
  return last.headers["x-svc-signature-256"] === signatureOf(hooked.secret, last.body);
}

/** Values in the database that begin with this key's id, and all others. */
async function marked(keyId: string): Promise<{ ours: number; others: number }> {
  const row = await first.container.platform.db.one<{ ours: number; others: number }>(
    `select count(*) filter (where substring(v from 1 for 8) = $1)::int as ours,
       count(*) filter (where substring(v from 1 for 8) <> $1)::int as others
     from (select sealed_secret as v from two_factor union all select sealed_recovery_key from two_factor
       union all select sealed_client_secret from sso_configurations union all select sealed_text from mails
       union all select sealed_url from webhooks union all select sealed_secret from webhooks) as all_values
     where v is not null`,
    [Buffer.from(keyId, "hex")],
  );
  return row ?? { ours: 0, others: 0 };
}

/** In its place is an anchor, signed with the key that is current now. */
async function expireEntryOf(orgId: string): Promise<void> {
  const past = await openPast(bed.server);
  await past.record([{ daysAgo: 40, orgId }]);
  await past.setPlan("organizations", orgId, "free");
  await past.expire();
  await past.close();
}

test(
  "everything works on, on both servers, and the old key goes when nothing refers to it",
  { timeout: 120_000 },
  async () => {
    const ada = await protectedUser("eve");
    await organizationWithSso(first, provider, {
      name: "acme",
      token: bed.ada.token,
      body: { provision: true },
    });
    provider.person = { sub: "nina-1" };
    const hooked = await bed.hooked();
    const [mail] = await admin("GET", "/admin/mails");
    const etag = (await bed.send("GET", "/user")).headers.etag ?? "";
    const object = lfsObject("large");
    const repository = hooked.path.replace("/repos/", "");
    const batch = await lfsBatch(first, repository, "upload", [object], bed.ada.token);
    const { upload, verify } = batch.json.objects[0].actions;
    await first.container.operation.auditMaintenance.link();
    await expireEntryOf((await admin("GET", "/orgs/acme"))["id"] as string);
    await first.container.operation.auditMaintenance.keepCheckpoints();
    expect(await keysNow()).toMatchObject([
      { state: "current", created_at: null, wrapped_by: "file", encrypted: { two_factor: 1, webhooks: 1 } },
    ]);

    // Begun before anybody else asks.
    const rotating = ended(await begin());
    let isOver = false;
    const reading = (async () => {
      const texts = new Set<string>();
      while (!isOver)
        for (const server of [first, second]) {
          const shown = await server.api("GET", `/admin/mails/${mail["id"]}`, { token: bed.ada.token });
          texts.add(`${shown.status} ${shown.json["text"]}`);
          const asked = await server.api("POST", "/password-resets", {
            body: { email: "nobody@example.com" },
          });
          texts.add(`reset ${asked.status}`);
        }
      return texts;
    })();
    const refused = await eventually(async () => {
      const { status, json } = await bed.send("POST", "/admin/key-rotations");
      return status === 409 && json["message"];
    });
    expect(refused).toContain("being replaced already");
    const done = await rotating.finally(() => (isOver = true));
    expect([...(await reading)].filter((text) => !text.startsWith("reset"))).toEqual([`200 ${mail["text"]}`]);
    expect(done).toMatchObject({
      state: "done",
      requested_by: "ada",
      unreadable: 0,
      encrypted: { two_factor: 1, single_sign_on: 1, webhooks: 1 },
    });
    const { others, ours } = await marked(String(done["key_id"]));
    expect([others, ours > 5]).toEqual([0, true]);

    // What was signed with the old key, which is still there.
    expect((await bed.send("GET", "/user")).headers.etag).not.toBe(etag);
    const unchanged = { token: bed.ada.token, headers: { "If-None-Match": etag } };
    expect((await first.api("GET", "/user", unchanged)).status).toBe(304);
    expect((await sendLfs(first, upload, object.bytes)).status).toBe(200);
    const confirmed = { body: { oid: object.oid, size: object.size } };
    expect((await lfsCall(first, "POST", verify.href, confirmed)).status).toBe(200);

    // A job that was queued before it may have a token of the old key.
    const { db } = first.container.platform;
    const { id: repositoryId } = await admin("GET", hooked.path);
    const held = { repositoryId, userId: bed.ada.id, token: "svc_job_x" };
    const attempt = await insertLeasedAttempt(db, held);
    await db.query("update job_attempts set queued_at = now() - interval '1 hour' where id = $1", [attempt]);
    await removeUnused();
    expect((await keysNow()).map(({ state }) => state)).toEqual(["current", "old"]);
    await db.query("delete from job_attempts where id = $1", [attempt]);
    await removeUnused();
    const [left, ...more] = await keysNow();
    expect([left?.id, left?.state, more]).toEqual([done["key_id"], "current", []]);

    // What the new key alone must prove and open; nothing has happened in this organization since.
    const ofAcme = await admin("GET", "/orgs/acme/audit-log/verify");
    expect(ofAcme).toMatchObject({ valid: true, problem: null, expired: 1 });
    expect(ofAcme["checkpoint"]).not.toBeNull();
    expect((await signIn(first, "eve", ada.codes[0] ?? "")).status).toBe(201);
    await eventually(() => second.container.platform.instanceKeys.all().length === 1);
    expect(
      (await signIn(second, "eve", generateSync({ secret: ada.secret, epoch: Date.now() / 1000 + 30 })))
        .status,
    ).toBe(201);
    expect((await signIn(second, "eve", ada.codes[1] ?? "")).status).toBe(201);
    expect((await signIn(second, "eve", ada.codes[1] ?? "")).status).toBe(401);
    expect(await throughProvider()).toBe("nina");
    expect(await deliveryIsSigned(hooked)).toBe(true);
    const verified = await admin("GET", "/admin/audit-log/verify");
    expect(verified).toMatchObject({ valid: true, problem: null });
    expect(verified["checkpoint"]).not.toBeNull();
    expect((await bed.send("GET", "/admin/audit-log?action=admin.key_remove")).json).toHaveLength(1);
  },
);

test(
  "a server that starts afterwards opens everything, and a second rotation follows the first",
  { timeout: 120_000 },
  async () => {
    const [before] = await keysNow();
    const done = await rotate();
    expect(done["encrypted"]).toMatchObject({ two_factor: 1, single_sign_on: 1, webhooks: 1 });
    expect((await keysNow()).map((key) => [key.state, total(key) > 0])).toEqual([
      ["current", true],
      ["old", false],
    ]);
    const third = await startApiServer({ beside: first, env: besides });
    try {
      const shown = await third.api("GET", "/admin/keys", { token: bed.ada.token });
      expect(shown.json["keys"]).toHaveLength(2);
      const mails = await third.api("GET", "/admin/mails", { token: bed.ada.token });
      expect(mails.json[0]["text"]).toContain("eve");
    } finally {
      await third.stop();
    }
    expect((await bed.send("GET", "/admin/key-rotations")).json).toHaveLength(2);
    expect(before?.id).not.toBe(done["key_id"]);
  },
);

test(
  "what no key opens is left and counted, and keeps no rotation from its end",
  { timeout: 120_000 },
  async () => {
    const { db } = first.container.platform;
    const [mail] = await admin("GET", "/admin/mails");
    await db.query("update mails set sealed_text = $2 where id = $1", [mail["id"], Buffer.alloc(60, 1)]);
    expect(await rotate()).toMatchObject({ state: "done", unreadable: 1 });
    await db.query("delete from mails where id = $1", [mail["id"]]);
  },
);

test(
  "a rotation that is cancelled as background work ends, and another one may begin",
  { timeout: 120_000 },
  async () => {
    const { json: begun } = await bed.send("POST", "/admin/key-rotations");
    const id = begun["id"] as string;
    const work = `/admin/work/${encodeURIComponent(keyRotationWorkflowId(id))}`;
    expect(begun["work_url"]).toBe(`${first.baseUrl}${work}`);
    await eventually(async () => (await bed.send("GET", work)).status === 200, { timeoutMs: 20_000 });
    expect((await admin("GET", work))["kind"]).toBe("key_rotation");
    expect((await bed.send("POST", `${work}/cancel`)).status).toBe(202);
    expect(await admin("GET", `/admin/key-rotations/${id}`)).toMatchObject({ state: "cancelled" });
    expect(await rotate()).toMatchObject({ state: "done", unreadable: 0 });
  },
);
