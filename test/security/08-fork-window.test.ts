/** Row 8: a fork is no window into its upstream: neither after that became private, nor into what is in no branch of it. */
import { readdir } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addressWithToken, createGitClient, type GitClient } from "../integration/git/git-client.ts";
import { fetchOf, sendGit } from "../support/git-packets.ts";
import { startForkBed, type ForkBed, type Pair } from "../support/fork-bed.ts";

let bed: ForkBed;
let git: GitClient;
beforeAll(async () => {
  bed = await startForkBed("fork-window");
  git = await createGitClient(bed.server.caFile);
});
afterAll(async () => {
  await git?.remove();
  await bed?.close();
});

const directoryOf = (id: string) => bed.server.container.platform.storage.directory(id);

async function has(id: string, oid: string): Promise<boolean> {
  const { exitCode } = await bed.server.container.platform.git.run({
    directory: directoryOf(id),
    args: ["cat-file", "-e", oid],
    acceptExitCodes: [0, 1, 128],
  });
  return exitCode === 0;
}

/** Nothing of the commit is to be had through the fork. */
async function expectHidden({ fork, id, name }: Pair, oid: string): Promise<void> {
  for (const path of [
    `/commits/${oid}`,
    `/contents/a.txt?ref=${oid}`,
    `/compare/main...${oid}`,
    `/changes/main...${oid}`,
    `/tarball/${oid}`,
  ])
    expect([path, (await bed.send(bed.bob, "GET", fork + path)).status]).toEqual([path, 404]);
  const folder = `${name}-${oid}`;
  await git.run(["init", "-q", folder]);
  const address = addressWithToken(bed.server.webUrl, `bob/${name}`, bed.bob.token);
  const fetched = await git.run(["fetch", address, oid], { cwd: `${git.home}/${folder}` });
  expect(fetched.code).not.toBe(0);
  expect(await has(id, oid)).toBe(false);
}

test("an upstream that became private is neither synced, nor compared, nor named", async () => {
  const pair = await bed.pair();
  await bed.send(bed.ada, "PATCH", pair.upstream, { visibility: "private" });
  const secret = await bed.commit(bed.ada, pair.upstream, { file: "a.txt", text: "secret" });
  for (const body of [{}, { branch: "main" }, { dry_run: true }, { branch: "main", dry_run: true }]) {
    const answer = await bed.sync(pair.fork, body);
    expect([answer.status, answer.json.message]).toEqual([409, expect.stringContaining("not a fork, or")]);
    expect(answer.text).not.toContain("ada");
  }
  const standing = await bed.send(bed.bob, "GET", `${pair.fork}/sync`);
  expect(standing.json).toMatchObject({ upstream: null, behind: null, ahead: null });
  expect(standing.text).not.toContain("ada/");
  await expectHidden(pair, secret);
});

test("one that becomes private between the request and the work is not read", async () => {
  const pair = await bed.pair();
  const secret = await bed.commit(bed.ada, pair.upstream, { file: "a.txt", text: "secret" });
  await bed.stopWorker();
  const asked = await bed.sync(pair.fork);
  expect(asked.status).toBe(202);
  await bed.send(bed.ada, "PATCH", pair.upstream, { visibility: "private" });
  await bed.startWorker();
  await expect
    .poll(async () => (await bed.standing(pair.fork)).last_sync?.status, { timeout: 30_000 })
    .toBe("failed");
  await expectHidden(pair, secret);
});

test("a token that is limited to the fork does not read an upstream that is private", async () => {
  const pair = await bed.pair();
  await bed.send(bed.ada, "PATCH", pair.upstream, { visibility: "private" });
  await bed.send(bed.ada, "PUT", `${pair.upstream}/collaborators/bob`, { permission: "read" });
  const secret = await bed.commit(bed.ada, pair.upstream, { file: "a.txt", text: "secret" });
  const made = await bed.send(bed.bob, "POST", "/user/tokens", {
    name: `fork-${pair.name}`,
    scopes: ["repo:read", "repo:write"],
    repositories: [`bob/${pair.name}`],
  });
  expect(made.status).toBe(201);
  const limited = { ...bed.bob, token: made.json.token };
  expect((await bed.sync(pair.fork, {}, limited)).status).toBe(409);
  expect((await bed.sync(pair.fork, { dry_run: true }, limited)).status).toBe(409);
  await expectHidden(pair, secret);
  expect((await bed.sync(pair.fork)).json).toMatchObject({ status: "fast_forwarded" });
  expect(await has(pair.id, secret)).toBe(true);
});

test("what no branch of the upstream reaches does not come, and looking leaves nothing behind", async () => {
  const pair = await bed.pair();
  await bed.send(bed.ada, "POST", `${pair.upstream}/branches`, { name: "leaked", ref: "main" });
  const deleted = await bed.commit(bed.ada, pair.upstream, {
    branch: "leaked",
    file: "a.txt",
    text: "secret",
  });
  await bed.send(bed.ada, "DELETE", `${pair.upstream}/branches/leaked`);
  const hidden = await bed.commit(bed.ada, pair.upstream, { branch: "topic", file: "a.txt", text: "hidden" });
  await bed.server.container.platform.git.run({
    directory: directoryOf(pair.upstreamId),
    args: ["update-ref", "refs/internal/kept/x", hidden],
  });
  await bed.server.container.platform.git.run({
    directory: directoryOf(pair.upstreamId),
    args: ["update-ref", "refs/heads/topic", await bed.tipOf(pair.fork, "topic")],
  });
  const theirs = await bed.commit(bed.ada, pair.upstream, { file: "b.txt", text: "theirs" });
  await bed.commit(bed.bob, pair.fork, { file: "b.txt", text: "mine" });
  expect((await bed.sync(pair.fork, { dry_run: true })).status).toBe(409);
  expect((await bed.sync(pair.fork)).status).toBe(409);
  await expectHidden(pair, theirs);
  await bed.commit(bed.bob, pair.fork, { file: "b.txt", text: "theirs" });
  expect((await bed.sync(pair.fork)).json).toMatchObject({ status: "merged" });
  for (const oid of [deleted, hidden]) await expectHidden(pair, oid);
  const left = await readdir(`${directoryOf(pair.id)}/objects`);
  expect(left.filter((name) => name.startsWith("tmp_"))).toEqual([]);
  const alternates = await readdir(`${directoryOf(pair.id)}/objects/info`).catch(() => []);
  expect(alternates).not.toContain("alternates");
});

test("a merge request brings its branch over, and opens no other window between the fork and its upstream", async () => {
  const pair = await bed.pair();
  const { server, ada, bob } = bed;
  await bed.commit(bob, pair.fork, { file: "a.txt", text: "shown" });
  const hidden = await bed.commit(bob, pair.fork, { branch: "topic", file: "b.txt", text: "secret" });
  const body = { title: "Bring it", source_repo: `bob/${pair.name}`, source_branch: "main" };
  const made = await bed.send(bob, "POST", `${pair.upstream}/merge-requests`, body);
  expect([made.status, await has(pair.upstreamId, made.json.head_sha)]).toEqual([201, true]);
  expect(await has(pair.upstreamId, hidden)).toBe(false);
  const name = `ada/${pair.name}`;
  for (const version of [0, 1, 2]) {
    const asked = { name, service: "upload-pack", version, token: ada.token } as const;
    const { text } = await sendGit(server, { ...asked, body: fetchOf(version, [`want ${hidden}`]) });
    expect([version, text]).toEqual([version, expect.stringContaining("not our ref")]);
  }
  for (const [owner, id] of [
    [ada, pair.upstreamId],
    [bob, pair.id],
  ] as const) {
    const path = `//${owner.username}/${pair.name}.git/info/refs?service=git-receive-pack`;
    const { status, text } = await bed.send(owner, "GET", path);
    expect([status, text.includes(".have"), text.includes("refs/heads/main")]).toEqual([200, false, true]);
    const info = await readdir(`${directoryOf(id)}/objects/info`);
    expect(info.filter((each) => each.includes("alternates"))).toEqual([]);
  }
  await bed.send(ada, "PATCH", pair.upstream, { visibility: "private" });
  await expectHidden(pair, await bed.commit(ada, pair.upstream, { file: "c.txt", text: "secret" }));
  const address = `${pair.upstream}/merge-requests/${made.json.number}`;
  expect((await bed.send(bob, "GET", address)).status).toBe(404);
});
