/** Keys that sign jobs: `forgeline runner signing-key`, and what REST says of them. `forgeline runner demand` and `gpg-key` beside it. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { maxSigningKeys, type SigningKey } from "@forgeline/schemas/signing-keys/resource.ts";
import type { TestPerson } from "../../support/api-server.ts";
import { openPgpFingerprint, openPgpKey } from "../../support/openpgp-key.ts";
import { peopleAtTerminals, type PeopleAtTerminals } from "../../support/people-at-terminals.ts";

let people: PeopleAtTerminals;
let root: TestPerson;
let ada: TestPerson;
beforeAll(async () => {
  people = await peopleAtTerminals();
  root = await people.server.person("root", { isAdmin: true });
  ada = await people.server.person("ada");
  await people.server.api("POST", "/repos", { token: ada.token, body: { name: "app" } });
});
afterAll(() => people.stop());

const line = /^ed25519 [A-Za-z0-9+/]{43}=\n$/;

it("creates, lists and deletes keys of the instance", async () => {
  expect(await people.told(root, "runner", "signing-key", "list")).toBe("");
  const created = await people.told(root, "runner", "signing-key", "create");
  expect(created).toMatch(line);
  const list = await people.told(root, "runner", "signing-key", "list");
  expect(list).toContain(created.trim());
  const id = /sgk_\w+/.exec(list)?.[0] ?? "";
  expect(await people.told(root, "runner", "signing-key", "delete", id)).toBe(`deleted ${id}\n`);
  expect(await people.told(root, "runner", "signing-key", "list")).not.toContain(id);
});

it("has keys of a repository, whose line names it by its id", async () => {
  const at = ["-R", "ada/app", "--for-repo"];
  const created = await people.told(ada, "runner", "signing-key", "create", ...at);
  expect(created).toMatch(/^ed25519 \S{44} repo_\w{26} # ada\/app\n$/);
  expect(await people.told(ada, "runner", "signing-key", "list", ...at)).toContain(created.trim());
  expect(await people.told(ada, "runner", "signing-key", "list")).not.toContain(created.trim());
});

it("has four keys of each at most, and none of them for everybody to change", async () => {
  const { api } = people.server;
  const create = () => api("POST", "/signing-keys", { token: root.token });
  const made: SigningKey[] = [];
  for (let i = 0; i < maxSigningKeys; i++) made.push((await create()).json as SigningKey);
  expect(new Set(made.map((key) => key.public_key)).size).toBe(maxSigningKeys);
  const refused = await create();
  expect([refused.status, refused.json.message]).toEqual([409, expect.stringContaining("at most 4 keys")]);
  const shown = await api("GET", "/signing-keys", { token: ada.token });
  expect((shown.json as SigningKey[]).map(({ id }) => id)).toEqual(made.map(({ id }) => id).toReversed());
  expect(JSON.stringify(shown.json)).not.toContain("PRIVATE");
  const { id } = made[0] ?? { id: "" };
  for (const [person, method, path] of [
    [ada, "POST", "/signing-keys"],
    [ada, "DELETE", `/signing-keys/${id}`],
  ] as const)
    expect((await api(method, path, { token: person.token })).status).toBe(403);
  expect((await api("DELETE", `/repos/ada/app/signing-keys/${id}`, { token: ada.token })).status).toBe(404);
  expect((await api("DELETE", `/signing-keys/${id}`, { token: root.token })).status).toBe(204);
  expect((await create()).status).toBe(201);
});

it("shows what waits for runners", async () => {
  expect(await people.told(root, "runner", "demand")).toMatch(/^LABELS|^$/);
});

it("adds, lists and removes one's own OpenPGP keys", async () => {
  const file = join(people.cli.home, "key.asc");
  await writeFile(file, openPgpKey);
  const added = await people.told(ada, "gpg-key", "add", file);
  const id = /gpg_\w+/.exec(added)?.[0] ?? "";
  expect(added).toBe(`added ${id}: ${openPgpFingerprint}\n`);
  expect(await people.told(ada, "gpg-key", "list")).toMatch(
    new RegExp(`^${id}\\t${openPgpFingerprint}\\tada@example.org\\tnever$`, "m"),
  );
  expect(await people.told(ada, "gpg-key", "remove", id)).toBe(`removed ${id}\n`);
  expect(await people.told(ada, "gpg-key", "list")).toBe("");
});
