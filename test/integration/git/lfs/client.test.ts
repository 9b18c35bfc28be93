/** Git LFS as its users and their jobs have it: the real `git-lfs` over HTTPS, with objects in files and in S3. */
import { randomBytes } from "node:crypto";
import { chmod, mkdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { checkOut, moveInto } from "@forgeline/runner/workspace/checkout.ts";
import { createCommitFetcher } from "@forgeline/runner/workspace/fetch-commit.ts";
import { objectKey } from "@forgeline/server/domains/hosting/lfs/object-key.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TestPerson } from "../../../support/api-server.ts";
import { eventually } from "../../../support/eventually.ts";
import { startPart } from "../../../support/lfs-part-upload.ts";
import { insertLeasedAttempt } from "../../../support/leased-attempt.ts";
import { lfsBatch, lfsObject, startLfsServer, type LfsServer } from "../../../support/lfs-server.ts";
import { plainCheckout } from "../../../support/plain-checkout.ts";
import { isFull } from "../../../support/size.ts";
import { needs } from "../../../support/programs/needs.ts";
import { addressWithToken, createGitClient, type GitClient } from "../git-client.ts";

describe.each(["file", "s3"] as const)("git-lfs, objects in %s", (backend) => {
  let server: LfsServer;
  let git: GitClient;
  let ada: TestPerson;
  let bob: TestPerson;
  const large = randomBytes(3_000_000);
  /** As many as git-lfs announces at a time. */
  const batchSize = 100;
  /** Rights, quotas and locks, which are decided before a store is asked: one store tells. */
  const isTold = isFull || backend === "file";
  const object = lfsObject(large);
  const platform = () => server.container.platform;

  beforeAll(async () => {
    needs("git-lfs");
    server = await startLfsServer(backend, {
      FORGELINE_LFS_FREE_BYTES: "1000000",
      FORGELINE_LFS_MAX_OBJECT_BYTES: "4000000",
      FORGELINE_LFS_OPEN_OBJECTS: String(batchSize),
    });
    git = await createGitClient(server.caFile);
    await git.ok(["lfs", "install", "--skip-repo"]);
    [ada, bob] = [await server.person("ada"), await server.person("bob")];
    for (const [name, visibility] of [
      ["art", "private"],
      ["open", "public"],
    ])
      await server.api("POST", "/repos", { token: ada.token, body: { name, visibility } });
  });
  afterAll(async () => {
    await git?.remove();
    await server?.stop();
  });

  const address = (name: string, token?: string) => addressWithToken(server.webUrl, name, token);

  async function treeWith(files: Record<string, Buffer>): Promise<string> {
    const tree = await git.workTree({ ".gitattributes": "*.bin filter=lfs diff=lfs merge=lfs -text\n" });
    for (const [name, bytes] of Object.entries(files)) await writeFile(join(tree, name), bytes);
    await git.commit(tree, {}, "art");
    return tree;
  }

  const bytesOf = async (direction: string) => {
    const metric = await platform().metrics.getSingleMetric("forgeline_lfs_bytes_total")?.get();
    return metric?.values.find(({ labels }) => labels["direction"] === direction)?.value ?? 0;
  };
  const refusedUploads = async () => {
    const metric = await platform().metrics.getSingleMetric("forgeline_lfs_uploads_refused_total")?.get();
    return metric?.values[0]?.value ?? 0;
  };

  it("pushes objects and gives them to a clone; what is there is not sent again", async () => {
    const tree = await treeWith({
      "a.bin": large,
      "b.bin": Buffer.from("small"),
      "c.bin": Buffer.from("other"),
    });
    for (const name of ["ada/art", "ada/open"]) {
      const pushed = await git.run(["push", address(name, ada.token), "main"], { cwd: tree });
      expect([pushed.code, pushed.stderr]).toEqual([0, expect.stringContaining("main -> main")]);
    }
    await git.ok(["clone", "-q", address("ada/art", ada.token), `${git.home}/clone`]);
    expect((await readFile(join(git.home, "clone", "a.bin"))).equals(large)).toBe(true);
    const before = await bytesOf("in");
    await git.ok(["lfs", "push", "--all", address("ada/art", ada.token)], { cwd: tree });
    expect(await bytesOf("in")).toBe(before);
    const stored = await platform().db.query("select stored_at from lfs_objects");
    expect(stored.map((row) => row["stored_at"] !== null)).toEqual(Array.from({ length: 6 }, () => true));
    expect(await git.ok(["lfs", "fsck"], { cwd: join(git.home, "clone") })).toContain("OK");
  });

  it("goes on with a download that was cut off", async () => {
    const clone = join(git.home, "resumed");
    const env = { GIT_LFS_SKIP_SMUDGE: "1" };
    await git.ok(["clone", "-q", address("ada/art", ada.token), clone], { env });
    const incomplete = join(clone, ".git", "lfs", "incomplete");
    await mkdir(incomplete, { recursive: true });
    await writeFile(join(incomplete, `${object.oid}.part`), large.subarray(0, 2_500_000));
    const before = await bytesOf("out");
    await git.ok(["lfs", "pull", "--include", "a.bin"], { cwd: clone });
    expect((await readFile(join(clone, "a.bin"))).equals(large)).toBe(true);
    expect((await bytesOf("out")) - before).toBe(backend === "file" ? 500_000 : 0);
  });

  it.runIf(isTold)("gives objects of a public repository to all, of a private one to few", async () => {
    await git.ok(["clone", "-q", address("ada/open"), `${git.home}/anyone`]);
    expect((await readFile(join(git.home, "anyone", "a.bin"))).equals(large)).toBe(true);
    const without = join(git.home, "without");
    await git.ok(["clone", "-q", address("ada/open"), without], { env: { GIT_LFS_SKIP_SMUDGE: "1" } });
    for (const token of [undefined, bob.token])
      expect(
        (await git.run(["lfs", "fetch", address("ada/art", token), "main"], { cwd: without })).code,
      ).not.toBe(0);
    await git.ok(["lfs", "fetch", address("ada/art", ada.token), "main"], { cwd: without });
  });

  it.runIf(isTold)("says why an upload is refused", async () => {
    const tree = await treeWith({ "new.bin": randomBytes(1000) });
    const push = (name: string, token: string) =>
      git.run(["lfs", "push", "--all", address(name, token)], { cwd: tree });
    expect((await push("ada/open", bob.token)).stderr).toContain("not allowed");
    expect((await push("ada/art", bob.token)).stderr).toContain("Not found");
    const reading = await server.tokenFor(ada, ["repo:read"]);
    expect((await push("ada/art", reading)).stderr).toContain("repo:write");
    await server.api("POST", "/repos", { token: ada.token, body: { name: "old" } });
    await server.api("POST", "/repos/ada/old/archive", { token: ada.token });
    expect((await push("ada/old", ada.token)).stderr).toContain("archived");
    const huge = await treeWith({ "huge.bin": Buffer.alloc(4_000_001) });
    const tooLarge = await git.run(["push", address("ada/art", ada.token), "main:huge"], { cwd: huge });
    expect(tooLarge.stderr).toContain("at most 4000000 bytes");
    expect(tooLarge.code).not.toBe(0);
  });

  it.runIf(isTold)("names the quota that an upload would exceed, and takes it with room", async () => {
    const free = await server.person("free");
    await platform().db.query("update users set plan = 'free' where id = $1", [free.id]);
    await server.api("POST", "/repos", { token: free.token, body: { name: "art" } });
    const tree = await treeWith({ "one.bin": randomBytes(600_000), "two.bin": randomBytes(600_000) });
    const push = () => git.run(["push", address("free/art", free.token), "main"], { cwd: tree });
    const refused = await push();
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toContain("quota_exceeded");
    await platform().db.query("update users set plan = 'pro' where id = $1", [free.id]);
    expect((await push()).code).toBe(0);
  });

  it.runIf(backend === "file")("waits while somebody else sends the same object", async () => {
    const [bytes, second] = [randomBytes(3_500_000), randomBytes(1000)];
    const object = lfsObject(bytes);
    const { json } = await lfsBatch(server, "ada/art", "upload", [object], ada.token);
    const held = startPart(server, json.objects[0].actions.upload.href, { object, bytes: 10_000 });
    const tree = await treeWith({ "same.bin": bytes, "second.bin": second });
    const pushed = git.run(["push", address("ada/art", ada.token), "main:same"], { cwd: tree });
    await eventually(async () => (await refusedUploads()) > 0);
    held.finish();
    expect((await held.answer).status).toBe(200);
    const { code, stderr } = await pushed;
    expect([code, stderr]).toEqual([0, expect.stringContaining("main -> same")]);
  });

  it.runIf(backend === "file")("pushes any number of files: few are open at a time", async () => {
    const files = Array.from({ length: batchSize + 9 }, (_, i) => [`${i}.bin`, Buffer.from(`${i}`)] as const);
    const tree = await treeWith(Object.fromEntries(files));
    const { code, stderr } = await git.run(["push", address("ada/open", ada.token), "main:many"], {
      cwd: tree,
    });
    expect([code, stderr]).toEqual([0, expect.stringContaining("main -> many")]);
  });

  it.runIf(isTold)("locks files, names who holds one, and stops a push over it", async () => {
    await server.api("PUT", "/repos/ada/art/collaborators/bob", {
      token: ada.token,
      body: { permission: "write" },
    });
    const own = join(git.home, "clone");
    const theirs = join(git.home, "theirs");
    await git.ok(["clone", "-q", address("ada/art", bob.token), theirs]);
    expect(await git.ok(["lfs", "lock", "a.bin"], { cwd: own })).toContain("Locked a.bin");
    expect((await git.run(["lfs", "lock", "a.bin"], { cwd: theirs })).stderr).toContain(
      "ada has already locked this file",
    );
    expect(await git.ok(["lfs", "locks"], { cwd: theirs })).toMatch(/a\.bin\s+ada\s+ID:lck_/);
    await writeFile(join(theirs, "a.bin"), "mine now");
    await git.commit(theirs, {}, "over a lock");
    const verified = {
      cwd: theirs,
      env: { GIT_CONFIG_COUNT: "1", GIT_CONFIG_KEY_0: `lfs.locksverify`, GIT_CONFIG_VALUE_0: "true" },
    };
    const stopped = await git.run(["push", "origin", "main"], verified);
    expect([stopped.code === 0, stopped.stdout + stopped.stderr]).toEqual([
      false,
      expect.stringContaining("a.bin - ada"),
    ]);
    expect((await git.run(["lfs", "unlock", "a.bin"], { cwd: theirs })).code).not.toBe(0);
    await git.ok(["lfs", "unlock", "--force", "a.bin"], { cwd: theirs });
    expect(await git.ok(["lfs", "locks"], { cwd: own })).toBe("");
    expect((await git.run(["push", "origin", "main"], verified)).code).toBe(0);
  });

  it("gives a fork its upstream's objects as its own, and refuses one for which its owner has no room", async () => {
    const tree = await treeWith({ "f.bin": large });
    await server.api("POST", "/repos", { token: ada.token, body: { name: "up", visibility: "public" } });
    await git.ok(["push", "-q", address("ada/up", ada.token), "main"], { cwd: tree });
    const fork = (plan: string) =>
      platform()
        .db.query("update users set plan = $2 where id = $1", [bob.id, plan])
        .then(() => server.api("POST", "/repos/ada/up/forks", { token: bob.token, body: {} }));
    const refused = await fork("free");
    expect([refused.status, refused.json.error]).toEqual([403, "quota_exceeded"]);
    expect((await server.api("GET", "/repos/bob/up", { token: bob.token })).status).toBe(404);
    expect((await fork("enterprise")).status).toBe(201);
    await server.api("DELETE", "/repos/ada/up", { token: ada.token });
    const clone = join(git.home, `fork-${backend}`);
    await git.ok(["clone", "-q", address("bob/up", bob.token), clone]);
    expect((await readFile(join(clone, "f.bin"))).equals(large)).toBe(true);
  });

  describe("a job with clone.lfs", () => {
    const token = `svc_job_${backend.padEnd(43, "k")}`;
    const attributes = "*.bin filter=lfs diff=lfs merge=lfs -text\n";
    let tree: string;
    let repositoryId: string;
    beforeAll(async () => {
      const made = await server.api("POST", "/repos", { token: ada.token, body: { name: "job" } });
      repositoryId = made.json.id;
      tree = await treeWith({ "a.bin": large, "run.bin": Buffer.from("#!/bin/sh\n"), "no.txt": pointer });
      await mkdir(join(tree, "sp ace"));
      await writeFile(join(tree, "sp ace", "0:ü'.bin"), large);
      await chmod(join(tree, "run.bin"), 0o755);
      await symlink("a.bin", join(tree, "link.bin"));
      await git.commit(tree, {});
      await git.ok(["push", "-q", address("ada/job", ada.token), "main"], { cwd: tree });
      // Last, since its lease ends by itself.
      await insertLeasedAttempt(platform().db, { repositoryId, userId: ada.id, token });
    });
    const pointer = Buffer.from(
      `version https://git-lfs.github.com/spec/v1\noid sha256:${object.oid}\nsize ${object.size}\n`,
    );

    /** The workspace that the job gets, and what its set-up log tells. */
    async function checkOutJob(name: string): Promise<{ workspace: string; lines: string[] }> {
      const [directory, workspace] = [join(git.home, `${name}-new`), join(git.home, name)];
      const lines: string[] = [];
      const commits = createCommitFetcher();
      try {
        await checkOut({
          ...plainCheckout(`${server.webUrl}/ada/job.git`),
          token,
          caFile: server.caFile,
          sha: await git.ok(["rev-parse", "HEAD"], { cwd: tree }),
          clone: { depth: 1, filter: "none", tags: false, lfs: true },
          directory,
          commits,
          onLine: (line) => lines.push(line),
        });
      } finally {
        commits.close();
      }
      await mkdir(workspace);
      await moveInto(directory, workspace);
      return { workspace, lines };
    }

    it("finds its files in place of the pointers, and Git without git-lfs takes them for unchanged", async () => {
      const { workspace, lines } = await checkOutJob("workspace");
      for (const path of ["a.bin", "link.bin", "sp ace/0:ü'.bin"])
        expect((await readFile(join(workspace, path))).equals(large)).toBe(true);
      expect(await readFile(join(workspace, "run.bin"), "utf8")).toBe("#!/bin/sh\n");
      expect((await stat(join(workspace, "run.bin"))).mode & 0o777).toBe(0o755);
      expect(await readFile(join(workspace, "no.txt"), "utf8")).toBe(pointer.toString());
      expect(lines.at(-2)).toBe("Fetching 2 objects from Git LFS (3.0 MB)");
      const bare = { cwd: workspace, env: { GIT_CONFIG_GLOBAL: "/dev/null" } };
      expect(await git.ok(["status", "--porcelain"], bare)).toBe("");
      await writeFile(join(workspace, "run.bin"), "#!/bin/SH\n");
      expect(await git.ok(["status", "--porcelain"], bare)).toBe("M run.bin");
    });

    it.runIf(isTold)("opens the objects of its repository by its token, and nothing more", async () => {
      const ask = async (repository: string, operation: "download" | "upload") =>
        (await lfsBatch(server, repository, operation, [object], token)).status;
      expect([await ask("ada/job", "download"), await ask("ada/job", "upload")]).toEqual([200, 403]);
      expect(await ask("ada/art", "download")).toBe(404);
    });

    it("fails over bytes that are another object's, and names an object that is not there", async () => {
      const wrong = Buffer.concat([large.subarray(1), Buffer.of(1)]);
      await platform().objects.put(objectKey(repositoryId, object.oid), Readable.from([wrong]));
      await expect(checkOutJob("spoilt")).rejects.toThrow(
        `the received bytes do not match object ${object.oid}`,
      );
      await writeFile(join(tree, "lost.bin"), "never sent");
      await git.commit(tree, { ".gitattributes": attributes });
      const env = { GIT_LFS_SKIP_PUSH: "1" };
      await git.ok(["push", "-q", address("ada/job", ada.token), "main"], { cwd: tree, env });
      await expect(checkOutJob("lost")).rejects.toThrow("The repository does not have this object.");
    });
  });
});
