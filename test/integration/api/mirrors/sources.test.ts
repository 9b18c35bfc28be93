/** Every way to reach a source: with credentials over HTTPS, by `git://`, over SSH with a key and a pinned host key, and its Git LFS objects. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually } from "../../../support/eventually.ts";
import { lfsObject, lfsUpload } from "../../../support/lfs-server.ts";
import { startMirrorBed, type Mirrored, type MirrorBed } from "../../../support/mirror-bed.ts";

let bed: MirrorBed;
beforeAll(async () => {
  bed = await startMirrorBed({ name: "mirror-sources", env: { FORGELINE_SSH_PORT: "0" } });
});
afterAll(() => bed?.close());

const basic = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`;

test("credentials from the address are sent to the source, stored apart and never shown", async () => {
  const source = await bed.source.create("private");
  await source.commit("main", { "a.txt": "a" });
  bed.source.answer = (request, response, usual) =>
    request.headers.authorization === basic("bot:s3cret/x")
      ? usual()
      : void response.writeHead(401, { "www-authenticate": "Basic" }).end();
  const url = source.url.replace("https://", "https://bot:s3cret%2Fx@");
  const mirror = await bed.mirror({ url });
  expect(await mirror.ended()).toMatchObject({ status: "succeeded", changed_refs: 1 });
  const shown = await bed.send("GET", `${mirror.at}/mirror`);
  expect(shown.json).toMatchObject({ url: source.url, username: "bot" });
  expect(shown.text).not.toContain("s3cret");
  const log = await bed.send("GET", "/admin/audit-log?action=mirror.create");
  expect(log.text).not.toContain("s3cret");
  // A change of something else keeps them; another host does not get them.
  await bed.send("PUT", `${mirror.at}/mirror`, { url: source.url, prune: false });
  expect(await mirror.sync()).toMatchObject({ status: "succeeded" });
  const elsewhere = source.url.replace("localhost", "127.0.0.1");
  await bed.send("PUT", `${mirror.at}/mirror`, { url: elsewhere });
  expect(await mirror.get()).toMatchObject({ username: null });
  expect(await mirror.sync()).toMatchObject({ status: "failed" });
  await bed.send("PUT", `${mirror.at}/mirror`, {
    url: source.url,
    credentials: { username: "bot", password: "wrong" },
  });
  expect(await mirror.sync()).toMatchObject({
    status: "failed",
    error: "The source did not accept the credentials, or requires some.",
  });
  bed.source.answer = (_request, _response, usual) => usual();
});

test("a source is followed by git://", async () => {
  const source = await bed.source.create("daemon");
  await source.commit("main", { "a.bin": pointerTo(lfsObject("nobody has it")) });
  const port = await bed.source.startDaemon();
  const mirror = await bed.mirror({ url: `git://127.0.0.1:${port}${source.path}` });
  expect(await mirror.ended()).toMatchObject({
    status: "succeeded",
    changed_refs: 1,
    error: null,
    notes: ["1 Git LFS object was left out: git:// has none."],
  });
  expect(await mirror.refs()).toEqual(await source.refs());
});

/** A repository of this very server with one commit. */
async function ownSource(): Promise<Mirrored> {
  return bed.repository({ readme: true });
}

function pointerTo({ oid, size }: ReturnType<typeof lfsObject>): string {
  return `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize ${size}\n`;
}

function stored({ id }: { id: string }) {
  return bed.database.query<{ oid: string }>(
    "select oid from lfs_objects where repository_id = $1 and stored_at is not null",
    [id],
  );
}

async function commitPointer({ at }: Mirrored, object: ReturnType<typeof lfsObject>): Promise<void> {
  const content = Buffer.from(pointerTo(object)).toString("base64");
  const path = `${object.oid.slice(0, 8)}.bin`;
  await bed.send("PUT", `${at}/contents/${path}`, { message: path, content, branch: "main" });
}

test("over SSH a key is made, and the first host key is the only one that is accepted", async () => {
  const source = await ownSource();
  const url = `ssh://git@localhost:${bed.server.sshPort}/ada/${source.name}.git`;
  const mirror = await bed.mirror({ url });
  expect(await mirror.ended()).toMatchObject({
    status: "failed",
    error: "The source did not accept the SSH key. Add the public key of the mirror there.",
  });
  const waiting = await mirror.get();
  expect(waiting.public_key).toMatch(/^ssh-ed25519 [A-Za-z0-9+/=]+$/);
  expect(waiting).toMatchObject({ status: "failing", failures: 1, username: null });
  const added = await bed.send("POST", `${source.at}/deploy-keys`, {
    title: "mirror",
    key: waiting.public_key,
    permission: "read",
  });
  expect(added.status).toBe(201);
  expect(await mirror.sync()).toMatchObject({ status: "succeeded", changed_refs: 1 });
  expect(await mirror.refs()).toEqual(await source.refs());
  const pinned = await mirror.get();
  const meta = (await bed.send("GET", "/meta")).json;
  expect(meta.ssh_host_keys.map(({ key }: { key: string }) => key)).toContain(pinned.host_key);
  expect(meta.ssh_host_keys.map(({ fingerprint }: { fingerprint: string }) => fingerprint)).toContain(
    pinned.host_key_fingerprint,
  );
  const other = waiting.public_key;
  await bed.send("PUT", `${mirror.at}/mirror`, { url, host_key: other });
  expect(await mirror.sync()).toMatchObject({
    status: "failed",
    error: expect.stringContaining("another host key than the one that is known"),
  });
  expect(await mirror.get()).toMatchObject({ host_key: other, public_key: waiting.public_key });
  await bed.send("PUT", `${mirror.at}/mirror`, { url, host_key: null });
  // The change to the other key has begun a sync of its own, which may be the one that ends first.
  await eventually(async () => (await mirror.sync()).status === "succeeded");
  const large = lfsObject("large, over SSH");
  await lfsUpload(bed.server, `ada/${source.name}`, large, bed.ada.token);
  await commitPointer(source, large);
  // The change of the key has begun a sync of its own, which may be the one that takes it.
  expect(await mirror.sync()).toMatchObject({ status: "succeeded", notes: [] });
  await eventually(async () => (await stored(mirror)).some(({ oid }) => oid === large.oid));
  expect(await mirror.get()).toMatchObject({ host_key: pinned.host_key });
  await bed.send("PUT", `${mirror.at}/mirror`, { url, ssh_key: "generate" });
  expect((await mirror.get()).public_key).not.toBe(waiting.public_key);
});

test("Git LFS objects come along, once, and what the source lacks is said", async () => {
  const source = await ownSource();
  const name = `ada/${source.name}`;
  const [here, absent] = [lfsObject("large file"), lfsObject("never uploaded")];
  await lfsUpload(bed.server, name, here, bed.ada.token);
  await commitPointer(source, here);
  await commitPointer(source, absent);
  const url = `https://x:${bed.ada.token}@localhost:${bed.server.httpsPort}/${name}.git`;
  const mirror = await bed.mirror({ url });
  expect(await mirror.ended()).toMatchObject({
    status: "succeeded",
    lfs_objects: 1,
    notes: ["1 Git LFS object was not taken: missing at the source."],
  });
  expect(await stored(mirror)).toEqual([{ oid: here.oid }]);
  expect(await mirror.sync()).toMatchObject({ status: "succeeded", lfs_objects: 0 });
});

test("large files that were left out come when they are wanted", async () => {
  const source = await ownSource();
  const object = lfsObject("left out at first");
  await lfsUpload(bed.server, `ada/${source.name}`, object, bed.ada.token);
  await commitPointer(source, object);
  const url = `https://x:${bed.ada.token}@localhost:${bed.server.httpsPort}/ada/${source.name}.git`;
  const mirror = await bed.mirror({ url }, { lfs: false });
  expect(await mirror.ended()).toMatchObject({ status: "succeeded", lfs_objects: 0 });
  await bed.send("PUT", `${mirror.at}/mirror`, { url, lfs: true });
  await eventually(async () => (await mirror.ended()).lfs_objects === 1, { timeoutMs: 30_000 });
});

test("a repository mirrors neither itself nor a circle that leads back to it", async () => {
  const [first, second] = [await bed.repository(), await ownSource()];
  const urlOf = ({ name }: Mirrored) => `https://localhost:${bed.server.httpsPort}/ada/${name}.git`;
  const itself = await bed.send("PUT", `${first.at}/mirror`, { url: urlOf(first) });
  expect(itself.json.errors).toMatchObject([{ field: "url", code: "circle" }]);
  const ok = await bed.send("PUT", `${first.at}/mirror`, { url: urlOf(second), enabled: false });
  expect(ok.status).toBe(200);
  const back = await bed.send("PUT", `${second.at}/mirror`, { url: urlOf(first), replace: true });
  expect(back.json.errors).toMatchObject([{ field: "url", code: "circle" }]);
});
