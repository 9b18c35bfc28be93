/** `forgeline audit export`: a file is written, checked, listed and deleted. */
import { createHash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { TestPerson } from "../../support/api-server.ts";
import { startWorker } from "../../support/failing-work.ts";
import { peopleAtTerminals, type PeopleAtTerminals } from "../../support/people-at-terminals.ts";

let people: PeopleAtTerminals;
let ada: TestPerson;
let stopWorker: () => Promise<void>;

beforeAll(async () => {
  people = await peopleAtTerminals({ env: { FORGELINE_TASK_QUEUE: `test-export-cli-${process.pid}` } });
  stopWorker = await startWorker(people.server);
  ada = await people.server.person("ada");
  await people.told(ada, "org", "create", "acme");
});
afterAll(async () => {
  await stopWorker?.();
  await people?.stop();
});

const audit = (...args: string[]) => people.told(ada, "audit", ...args);

test("a file is written for its owner alone, and is what the server says", async () => {
  const file = join(people.server.dataDir, "acme.csv");
  const told = await audit("export", "acme", "--format", "csv", "--action", "org.*", "-o", file);
  const text = await readFile(file, "utf8");
  const sum = createHash("sha256").update(text).digest("hex");
  expect(told).toMatch(new RegExp(`^${file}: \\d+ entries, \\d+ B, SHA-256 ${sum}$`, "m"));
  expect(text.split("\r\n")[0]).toMatch(/^id,seq,hash,timestamp,/);
  expect(text).toContain('"org.create"');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

test("entries go to standard output, and exports are listed and deleted", async () => {
  const lines = (await audit("export", "acme", "-o", "-")).trimEnd().split("\n");
  expect(lines.map((line) => (JSON.parse(line) as { seq: number }).seq)).toEqual(
    lines.map((_, index) => index + 1),
  );
  const listed = (await audit("exports", "acme")).trimEnd().split("\n");
  expect(listed.map((line) => line.split("\t").slice(2, 5))).toEqual([
    ["ada", "jsonl", "done"],
    ["ada", "csv", "done"],
  ]);
  const id = listed[0]?.split("\t")[0] ?? "";
  expect(await audit("delete-export", id, "acme")).toBe(`${id} is deleted\n`);
  expect((await audit("exports", "acme")).trimEnd().split("\n")).toHaveLength(1);
  const nowhere = await people.as(ada, "audit", "export", "acme", "-o", "/nonexistent/x");
  expect([nowhere.code, nowhere.stderr]).toEqual([
    2,
    "error: cannot write /nonexistent/x: there is no directory /nonexistent\n",
  ]);
  const directory = await people.as(ada, "audit", "export", "acme", "-o", people.server.dataDir);
  expect([directory.code, directory.stderr]).toEqual([2, expect.stringContaining("it is a directory")]);
  expect((await audit("exports", "acme")).trimEnd().split("\n")).toHaveLength(1);
  const refused = await people.as(ada, "audit", "export", "--instance");
  expect(refused.code).toBe(1);
});
