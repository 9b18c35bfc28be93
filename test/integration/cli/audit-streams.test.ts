/** `forgeline audit stream`: set up, tried, looked at, paused, resumed and deleted. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { TestPerson } from "../../support/api-server.ts";
import { readBed } from "../../support/bed.ts";
import { eventually } from "../../support/eventually.ts";
import { startWorker } from "../../support/failing-work.ts";
import { peopleAtTerminals, type PeopleAtTerminals } from "../../support/people-at-terminals.ts";
import { accepting, refusing, startReceiver, type Receiver } from "../../support/webhook-receiver.ts";

let people: PeopleAtTerminals;
let ada: TestPerson;
let receiver: Receiver;
let stopWorker: () => Promise<void>;

beforeAll(async () => {
  receiver = await startReceiver();
  const { caFile } = (await readBed()).certificates;
  people = await peopleAtTerminals({
    env: {
      FORGELINE_TASK_QUEUE: `test-stream-cli-${process.pid}`,
      FORGELINE_OUTBOUND_ALLOW: "127.0.0.1",
      FORGELINE_OUTBOUND_CA_FILE: caFile,
    },
  });
  stopWorker = await startWorker(people.server);
  ada = await people.server.person("ada", { isAdmin: true });
  await people.told(ada, "org", "create", "acme");
});
afterAll(async () => {
  await stopWorker?.();
  await people?.stop();
  await receiver?.close();
});

const stream = (...args: string[]) => people.told(ada, "audit", "stream", ...args);

async function secretFile(name: string): Promise<string> {
  const file = join(people.server.dataDir, name);
  await writeFile(file, "secret-of-the-stream\n", { mode: 0o600 });
  return file;
}

test("an address is set up, tried, looked at, paused and resumed", async () => {
  const file = await secretFile("token");
  const url = `${receiver.url}/audit`;
  const told = await stream("set", "acme", "--to", url, "--token-file", file, "--from-seq", "1");
  expect(told).toMatch(new RegExp(`^target\t${url}$`, "m"));
  await eventually(async () => /^status\tup_to_date$/m.test(await stream("view", "acme")));
  expect(await stream("view", "acme")).toMatch(/^last sent\t\d+ at 2.*Z$/m);
  expect(receiver.received[0]?.headers.authorization).toBe("Bearer secret-of-the-stream");
  expect(await stream("test", "acme")).toMatch(/^accepted after \d+ ms\n$/);
  receiver.answer = refusing(418);
  const tried = await people.as(ada, "audit", "stream", "test", "acme");
  expect([tried.code, tried.stdout]).toEqual([
    1,
    "NOT ACCEPTED: The endpoint answered with status 418; only 200 to 299 count as accepted.\n",
  ]);
  receiver.answer = accepting;
  expect(await stream("pause", "acme")).toBe("paused\n");
  expect(await stream("view", "acme")).toMatch(/^status\tpaused$/m);
  expect(await stream("resume", "acme")).toMatch(/^resumed; \d+ entries wait\n$/);
  expect(await stream("delete", "acme")).toBe("the log is sent no more\n");
  const gone = await people.as(ada, "audit", "stream", "view", "acme");
  expect([gone.code, gone.stderr]).toEqual([1, "error: acme has no audit stream, or you may not see it\n"]);
});

test("buckets and receivers of syslog are named, also for the instance's log", async () => {
  const file = await secretFile("key");
  const bucket = await stream(
    ..."set acme --bucket audit --prefix acme/ --access-key-id KEY".split(" "),
    ...`--endpoint ${receiver.url} --secret-key-file ${file}`.split(" "),
  );
  expect(bucket).toMatch(new RegExp(`^target\tbucket audit at ${receiver.url}, acme/$`, "m"));
  const authority = (await readBed()).certificates.caFile;
  const address = ["--to", `${receiver.url}/audit`, "--token-file", file, "--authority", authority];
  await stream("set", "--instance", ...address);
  const syslog = await people.as(
    ada,
    ..."audit stream set --instance --syslog logs.example.com:6515".split(" "),
  );
  expect(syslog.stdout).toMatch(/^target\tsyslog logs\.example\.com port 6515$/m);
  expect(syslog.stderr).toMatch(/^note: .* give --authority again/);
  expect(await stream("delete", "--instance")).toBe("the log is sent no more\n");
  for (const [args, problem] of [
    [["set", "acme"], "nothing to change"],
    [["set", "acme", "--syslog", "a:b:c"], "is not of the form HOST or HOST:PORT"],
    [["view"], "which log?"],
  ] as const) {
    const refused = await people.as(ada, "audit", "stream", ...args);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining(problem)]);
  }
});
