/** What counts as a Git operation: however a client speaks, and whichever process hears it. */
import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startApiServer, type ApiServer, type TestPerson } from "../../support/api-server.ts";
import { eventually } from "../../support/eventually.ts";
import { addressWithToken, createGitClient, type GitClient } from "./git-client.ts";

let server: ApiServer;
let other: ApiServer;
let git: GitClient;
let tree: string;
let head: string;
const env = { FORGELINE_LIMIT_GIT: "6" };
beforeAll(async () => {
  server = await startApiServer({ env });
  other = await startApiServer({ env, beside: server });
  git = await createGitClient(server.caFile);
  tree = await git.workTree();
  head = await git.ok(["rev-parse", "HEAD"], { cwd: tree });
});
afterAll(async () => {
  await git?.remove();
  await other?.stop();
  await server?.stop();
});

const address = (person: TestPerson) =>
  addressWithToken(server.webUrl, `${person.username}/tree`, person.token);

/** With a repository that holds the tree; the push that brought it is forgotten. */
async function owner(username: string, visibility = "private"): Promise<TestPerson> {
  const person = await server.person(username);
  await server.api("POST", "/repos", { token: person.token, body: { name: "tree", visibility } });
  await git.ok(["push", "-q", address(person), "main"], { cwd: tree });
  await eventually(async () => (await openOperations(username)) === 0);
  await server.container.platform.db.query("delete from rate_limit_windows");
  return person;
}

const used = async (person: TestPerson) =>
  (await server.api("GET", "/rate_limit", { token: person.token })).json.resources.find(
    ({ resource }: { resource: string }) => resource === "git",
  ).used;

const packet = (text: string) => (text.length + 4).toString(16).padStart(4, "0") + text;
const fetchAll = () => `${packet("command=fetch\n")}0001${packet(`want ${head}\n`)}${packet("done\n")}0000`;

/** One exchange of a clone, with nothing before it. */
const bareFetch = (person: TestPerson, at = server, body = fetchAll()) =>
  at.api("POST", `//${person.username}/tree.git/git-upload-pack`, {
    token: person.token,
    headers: { "Content-Type": "application/x-git-upload-pack-request", "Git-Protocol": "version=2" },
    body,
  });
const advertise = (person: TestPerson, at = server) =>
  at.api("GET", `//${person.username}/tree.git/info/refs?service=git-upload-pack`, { token: person.token });

it("a clone, a fetch and a push are one each, in every version of the protocol", async () => {
  const ann = await owner("ann");
  for (const version of [0, 1, 2]) {
    const clone = [
      "-c",
      `protocol.version=${version}`,
      "clone",
      "-q",
      address(ann),
      `${git.home}/v${version}`,
    ];
    await git.ok(clone);
    expect(await used(ann)).toBe(version + 1);
  }
  // Longer than Git sends in one piece, and so with an empty packet before it.
  await writeFile(join(tree, "long"), randomBytes(2_000_000));
  await git.ok(["checkout", "-qb", "long"], { cwd: tree });
  await git.ok(["add", "long"], { cwd: tree });
  await git.ok(["commit", "-qm", "long"], { cwd: tree });
  await git.ok(["push", "-q", address(ann), "long"], { cwd: tree });
  expect(await used(ann)).toBe(4);
  await git.ok(["-C", `${git.home}/v2`, "fetch", "-q"]);
  expect(await used(ann)).toBe(5);
});

it("who leaves out the beginning has as many operations as anybody, over all processes", async () => {
  const ben = await owner("ben");
  const answers = [];
  for (let i = 0; i < 8; i++) {
    answers.push(await bareFetch(ben, i % 2 === 0 ? server : other));
    // What has ended is noted just after the answer.
    await eventually(async () => (await openOperations("ben")) === 0);
  }
  expect(answers.map(({ status }) => status)).toEqual([...Array(6).fill(200), 429, 429]);
  expect(answers.filter(({ text }) => text.includes("PACK"))).toHaveLength(6);
  expect((await advertise(ben)).status).toBe(429);
});

const openOperations = async (username: string) =>
  (
    await server.container.platform.db.one<{ n: number }>(
      `select coalesce(sum(requests), 0)::int as n from rate_limit_windows
       where subject like 'operation:%' and subject like '%' || $1 || '/tree'`,
      [username],
    )
  )?.n;

it("exchanges belong to what began in another process, until its pack was sent", async () => {
  const cat = await owner("cat");
  expect((await advertise(cat, other)).status).toBe(200);
  const refs = `${packet("command=ls-refs\n")}0000`;
  for (let i = 0; i < 5; i++) expect((await bareFetch(cat, server, refs)).status).toBe(200);
  expect((await bareFetch(cat, server)).status).toBe(200);
  await eventually(async () => (await openOperations("cat")) === 0);
  expect(await usedOnBoth("cat")).toBe(1);
  expect((await bareFetch(cat, server)).status).toBe(200);
  await eventually(async () => (await usedOnBoth("cat")) === 2);
});

/** As the database has it once both have given back what they hold. */
async function usedOnBoth(username: string): Promise<number> {
  const row = await server.container.platform.db.one<{ taken: number }>(
    `select w.taken from rate_limit_windows w join users u on w.subject = 'user:' || u.id
     where w.category = 'git' and u.username = $1`,
    [username],
  );
  return row?.taken ?? 0;
}

it("packs that are asked for side by side within one operation are counted when they were sent", async () => {
  const dan = await owner("dan");
  await advertise(dan);
  await Promise.all(Array.from({ length: 5 }, () => bareFetch(dan)));
  await eventually(async () => (await used(dan)) === 5);
});

it("an operation covers no other repository and no push, and nothing is free that finds nothing", async () => {
  const eve = await owner("eve");
  await advertise(eve);
  expect(await used(eve)).toBe(1);
  const push = { headers: { "Content-Type": "application/x-git-receive-pack-request" }, body: "0000" };
  await server.api("POST", "//eve/tree.git/git-receive-pack", { token: eve.token, ...push });
  expect(await used(eve)).toBe(2);
  const statuses = [];
  for (let i = 0; i < 6; i++)
    statuses.push(
      (await server.api("POST", `//eve/none-${i}.git/git-upload-pack`, { token: eve.token })).status,
    );
  expect(statuses).toEqual([404, 404, 404, 404, 429, 429]);
});

it("without a credential the address is counted, and one that is wrong counts as none", async () => {
  const fay = await owner("fay", "public");
  const nobody = { ...fay, token: "svc_pat_none" };
  const anonymous = (token?: string) =>
    server.api("POST", "//fay/tree.git/git-upload-pack", {
      ...(token === undefined ? {} : { token }),
      headers: { "Content-Type": "application/x-git-upload-pack-request", "Git-Protocol": "version=2" },
      body: fetchAll(),
    });
  expect((await anonymous(nobody.token)).status).toBe(401);
  for (let i = 0; i < 8; i++) await anonymous();
  expect((await anonymous()).status).toBe(429);
  expect((await bareFetch(fay)).status).toBe(200);
});
