/** What is announced and does not come is bounded for each owner, and the smallest object counts (row 30). */
import { createHash, randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { TestPerson } from "../support/api-server.ts";
import {
  lfsBatch,
  lfsObject,
  lfsUpload,
  send,
  startLfsServer,
  type LfsAnswer,
  type LfsServer,
} from "../support/lfs-server.ts";
import { ensure } from "./access-matrix/places.ts";

const maxOpen = 1_500;
const kib4 = 4_096;
const quotaBytes = 25 * kib4 - 1;
let server: LfsServer;

beforeAll(async () => {
  server = await startLfsServer("file", {
    FORGELINE_LFS_OPEN_OBJECTS: String(maxOpen),
    FORGELINE_LFS_FREE_BYTES: String(quotaBytes),
  });
});
afterAll(() => server?.stop());

async function personWith(
  username: string,
  repositories: string[],
  plan = "enterprise",
): Promise<TestPerson> {
  const person = await server.person(username);
  await server.container.platform.db.query("update users set plan = $2 where id = $1", [person.id, plan]);
  for (const name of repositories)
    ensure(await server.api("POST", "/repos", { token: person.token, body: { name } }));
  return person;
}

/** Announced only, so their bytes do not matter. */
function named(count: number, size: number) {
  const name = randomBytes(8).toString("hex");
  return Array.from({ length: count }, (_, i) => ({
    oid: createHash("sha256").update(`${name} ${i}`).digest("hex"),
    size,
  }));
}

interface Answered {
  oid: string;
  actions?: { upload: { href: string }; verify: { href: string } };
  error?: { code: number; message: string };
}
const objectsOf = ({ json }: LfsAnswer): Answered[] => json.objects;

async function usedBy(person: TestPerson): Promise<number> {
  return ensure(await server.api("GET", "/user/storage", { token: person.token })).json.lfs.used_bytes;
}

test("batches race for the last places: as many are open as may be, and those can come", async () => {
  const ada = await personWith("ada", ["one", "two"]);
  const batches = Array.from({ length: 22 }, () => named(90, 10));
  const announce = (repository: string, objects: { oid: string; size: number }[]) =>
    lfsBatch(server, `ada/${repository}`, "upload", objects, ada.token);
  const repositories = ["one", "two"] as const;
  const answers = await Promise.all(batches.map((batch, i) => announce(repositories[i % 2]!, batch)));
  const all = answers.flatMap(objectsOf);
  const refused = all.filter(({ error }) => error);
  expect([all.length - refused.length, refused.length]).toEqual([maxOpen, 480]);
  for (const { error, actions } of refused) {
    expect(error).toEqual({
      code: 429,
      message: expect.stringContaining("have been announced but not uploaded"),
    });
    expect(actions).toBeUndefined();
  }
  const admitted = answers.findIndex((answer) => objectsOf(answer).every(({ error }) => !error));
  const again = await announce(repositories[admitted % 2]!, batches[admitted]!);
  expect(objectsOf(again).map(({ error }) => error)).toEqual(Array.from({ length: 90 }, () => undefined));
  // Whoever has announced another's object elsewhere is not in the way.
  const bob = await personWith("bob", ["art"]);
  expect((await lfsUpload(server, "bob/art", lfsObject("b"), bob.token)).status).toBe(200);
});

test("what came makes room for what is announced next, so a push of any size goes through", async () => {
  const carl = await personWith("carl", ["art"]);
  const open = named(maxOpen - 1, 10);
  for (const some of [open.slice(0, 1000), open.slice(1000)])
    await lfsBatch(server, "carl/art", "upload", some, carl.token);
  for (const text of ["1", "2", "3"])
    expect((await lfsUpload(server, "carl/art", lfsObject(text), carl.token)).status).toBe(200);
  const last = lfsObject("4");
  const [answer] = objectsOf(await lfsBatch(server, "carl/art", "upload", [last], carl.token));
  const [past] = objectsOf(await lfsBatch(server, "carl/art", "upload", [lfsObject("5")], carl.token));
  expect(past?.error?.code).toBe(429);
  expect((await send(server, answer!.actions!.upload, last.bytes)).status).toBe(200);
  expect((await lfsUpload(server, "carl/art", lfsObject("5"), carl.token)).status).toBe(200);
});

test("two batches of a thousand empty objects race for the quota: each counts as what a file takes", async () => {
  const dan = await personWith("dan", ["one", "two"], "free");
  const answers = await Promise.all(
    ["one", "two"].map((name) => lfsBatch(server, `dan/${name}`, "upload", named(1000, 0), dan.token)),
  );
  const all = answers.flatMap(objectsOf);
  expect(all.filter(({ error }) => !error)).toHaveLength(24);
  expect(new Set(all.map(({ error }) => error?.code))).toEqual(new Set([undefined, 403]));
  expect(await usedBy(dan)).toBe(24 * kib4);
});

test("an empty object counts once it is there, and for whoever is given the repository", async () => {
  const eve = await personWith("eve", ["art", "more"], "free");
  const fay = await personWith("fay", ["own"], "free");
  const empty = lfsObject("");
  for (const name of ["art", "more"])
    expect((await lfsUpload(server, `eve/${name}`, empty, eve.token)).status).toBe(200);
  expect(await usedBy(eve)).toBe(kib4);
  await lfsUpload(server, "fay/own", lfsObject(randomBytes(24 * kib4)), fay.token);
  expect(await usedBy(fay)).toBe(24 * kib4);
  const offer = { token: eve.token, body: { new_owner: "fay" } };
  expect((await server.api("POST", "/repos/eve/art/transfer", offer)).status).toBe(202);
  const accepted = await server.api("POST", "/repos/eve/art/transfer/accept", { token: fay.token });
  expect(accepted.json).toMatchObject({ error: "quota_exceeded" });
});
