/** `forgeline webhook`: added with its secret shown once, tried, looked at, sent once more, changed and deleted. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { TestPerson } from "../../support/api-server.ts";
import { readBed } from "../../support/bed.ts";
import { peopleAtTerminals, type PeopleAtTerminals } from "../../support/people-at-terminals.ts";
import { accepting, refusing, startReceiver, type Receiver } from "../../support/webhook-receiver.ts";

let people: PeopleAtTerminals;
let ada: TestPerson;
let receiver: Receiver;
const stopping = new AbortController();
let following: Promise<void>;

beforeAll(async () => {
  receiver = await startReceiver();
  const { caFile } = (await readBed()).certificates;
  const env = { FORGELINE_OUTBOUND_ALLOW: "127.0.0.1", FORGELINE_OUTBOUND_CA_FILE: caFile };
  people = await peopleAtTerminals({ env });
  following = people.server.container.automation.followerRunner.run("webhooks", stopping.signal);
  ada = await people.server.person("ada");
  await people.told(ada, "repo", "create", "code");
  await people.told(ada, "org", "create", "acme");
});
afterAll(async () => {
  stopping.abort();
  await following;
  await people?.stop();
  await receiver?.close();
});
beforeEach(() => {
  receiver.answer = accepting;
});

const webhook = (...args: string[]) => people.told(ada, "webhook", "-R", "ada/code", ...args);

test("is added, tried, looked at and sent once more", async () => {
  const added = await webhook("add", `${receiver.url}/hook?token=s3cret`, "--events", "repository,tag");
  const [, id = ""] = /^added (hook_\w+) /.exec(added) ?? [];
  expect(added).toBe(
    `added ${id} ${receiver.url}/hook?token=***\nsecret, shown only now: ${/whsec_\S+/.exec(added)?.[0]}\n`,
  );
  expect(await webhook("list")).toBe(`${id}\ton\trepository,tag\t0\tnone\t${receiver.url}/hook?token=***\n`);
  expect(await webhook("ping", id)).toMatch(/^dlv_\w+ was accepted with status 204\n$/);
  await people.told(ada, "repo", "edit", "ada/code", "--description", "new");
  expect(await webhook("test", id, "repository")).toMatch(/^dlv_\w+ was accepted with status 204\n$/);
  const listed = (await webhook("deliveries", id)).trimEnd().split("\n");
  expect(listed.map((line) => line.split("\t").slice(1, 6).join(" ")).toReversed()).toEqual([
    "1 ping requested delivered 1 204",
    "2 repository edited delivered 1 204",
    "3 repository edited delivered 1 204",
  ]);
  const [first = ""] = (listed.at(-1) ?? "").split("\t");
  const shown = await webhook("delivery", id, first);
  expect(shown).toContain("event\tping requested\n");
  expect(shown).toContain(`"delivery":"${first}"`);
  expect(await webhook("redeliver", id, first)).toBe(`sending ${first} once more\n`);
  expect(await webhook("redeliver", id, "--since", "2026-01-01T00:00:00Z")).toBe("sending 0 once more\n");
});

test("one that refuses ends with status 1 and says why", async () => {
  const { id } = await people.json(ada, "webhook", "-R", "ada/code", "add", `${receiver.url}/no`);
  receiver.answer = refusing(500);
  const ping = await people.as(ada, "webhook", "-R", "ada/code", "ping", id);
  expect([ping.code, ping.stdout]).toEqual([
    1,
    expect.stringMatching(/was not accepted: The endpoint answered with status 500/) as string,
  ]);
  expect(await webhook("view", id)).toContain("state\tfailing\n");
});

test("an ordered one that is held up says by which delivery, and until when", async () => {
  const { id } = await people.json(
    ada,
    "webhook",
    "-R",
    "ada/code",
    "add",
    `${receiver.url}/held`,
    "--ordered",
  );
  receiver.answer = refusing(500);
  const first = await people.as(ada, "webhook", "-R", "ada/code", "ping", id);
  const [blocking = ""] = /^dlv_\w+/.exec(first.stdout) ?? [];
  const later = "update webhook_deliveries set next_attempt_at = now() + interval '1 hour' where id = $1";
  await people.server.container.platform.db.query(later, [blocking]);
  const held = await people.as(ada, "webhook", "-R", "ada/code", "ping", id);
  expect([held.code, held.stdout]).toEqual([
    1,
    expect.stringMatching(
      new RegExp(
        `^dlv_\\w+ has not been sent yet: it waits behind delivery 1 \\(${blocking}\\), which is tried again at \\S+Z\n$`,
      ),
    ) as string,
  ]);
  const shown = await webhook("delivery", id, blocking);
  expect(shown).toContain("\nATTEMPT\tAT\tANSWER\tMS\tPROBLEM\n1\t");
  expect(shown).toMatch(/^webhook-id: dlv_\w+$/m);
});

test("is changed with a secret from a file, switched off, and deleted", async () => {
  const { id } = await people.json(
    ada,
    "webhook",
    "-R",
    "ada/code",
    "add",
    `${receiver.url}/x`,
    "--inactive",
  );
  const secret = join(people.cli.home, "secret");
  await writeFile(secret, "a-secret-of-my-own\n");
  const changed = await webhook("update", id, "--active", "--ordered", "--secret-file", secret);
  expect(changed).toContain("state\ton\n");
  expect(changed).toContain("ordered\tyes\n");
  expect(changed).toMatch(/old secret until\t\S+Z\n/);
  expect(await webhook("update", id, "--end-previous-secret", "--no-active")).toContain("state\toff\n");
  const nothing = await people.as(ada, "webhook", "-R", "ada/code", "update", id);
  expect([nothing.code, nothing.stderr]).toEqual([2, expect.stringContaining("nothing to change") as string]);
  expect(await webhook("delete", id)).toBe(`deleted ${id}\n`);
  const wrong = await people.as(
    ada,
    "webhook",
    "-R",
    "ada/code",
    "add",
    receiver.url,
    "--events",
    "nonsense",
  );
  expect([wrong.code, wrong.stderr]).toEqual([
    2,
    expect.stringContaining('"nonsense" is no event') as string,
  ]);
});

test("an organization has the same", async () => {
  const { id } = await people.json(
    ada,
    "webhook",
    "add",
    "--org",
    "acme",
    `${receiver.url}/acme`,
    "--events",
    "member",
  );
  expect(await people.told(ada, "webhook", "list", "--org", "acme")).toContain(`${id}\ton\tmember\t`);
  expect(await people.told(ada, "webhook", "ping", "--org", "acme", id)).toContain("was accepted");
  expect(await people.told(ada, "webhook", "delete", "--org", "acme", id)).toBe(`deleted ${id}\n`);
});
