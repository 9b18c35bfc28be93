/** Targets that are away, refuse, lie or break off: somebody is told why, nothing there is undone, and it works again when they do. */
import { mkdir, writeFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { newId } from "@forgeline/server/platform/ids.ts";
import { eventually } from "../../../support/eventually.ts";
import type { SourceAnswer, SourceRepository } from "../../../support/git-source.ts";
import { startMirrorBed, type MirrorBed } from "../../../support/mirror-bed.ts";
import { addPushMirror, commitHere, createTarget, type Pushed } from "../../../support/push-mirror-bed.ts";

let bed: MirrorBed;
beforeAll(async () => {
  bed = await startMirrorBed({ name: "push-failures" });
});
afterAll(() => bed?.close());
afterEach(() => {
  bed.source.answer = (_request, _response, usual) => usual();
});

async function pair(): Promise<{ target: SourceRepository; mirror: Pushed }> {
  const repository = await bed.repository({ readme: true });
  const target = await createTarget(bed);
  return { target, mirror: await addPushMirror(bed, repository, { url: target.url, on_push: false }) };
}

const status =
  (code: number, headers: Record<string, string> = {}): SourceAnswer =>
  (_request, response) =>
    void response.writeHead(code, headers).end();
const onlyPushes =
  (answer: SourceAnswer): SourceAnswer =>
  (request, response, usual) =>
    request.url?.includes("git-receive-pack") ? answer(request, response, usual) : usual();
/** The target takes what it was sent, and the answer gets lost. */
const takesAndCuts: SourceAnswer = (request, response, usual) => {
  if (request.method !== "POST") return usual();
  response.write = (() => true) as typeof response.write;
  response.end = (() => {
    response.socket?.destroy();
    return response;
  }) as typeof response.end;
  usual();
};

const refusals: [string, SourceAnswer, RegExp][] = [
  ["404", status(404), /no repository at this address, or the credentials may not write to it/],
  [
    "401",
    status(401, { "www-authenticate": "Basic" }),
    /target did not accept the credentials, or requires some/,
  ],
  ["403 to pushes", onlyPushes(status(403)), /target did not accept the credentials, or requires some/],
  ["413 to pushes", onlyPushes(status(413)), /target takes no pushes of this size/],
  ["500", status(500), /server of the target answered with status 500/],
  [
    "a redirect",
    onlyPushes(status(307, { location: "https://127.0.0.1:1/x.git" })),
    /redirects to another address/,
  ],
  [
    "a reset",
    onlyPushes((_request, response) => void response.socket?.destroy()),
    /could not be reached|broke off/,
  ],
  ["nothing of Git", onlyPushes(status(200, { "content-type": "text/html" })), /is no Git repository/],
];

test(
  "a target that answers with an error or nonsense gets nothing, and says why; then it gets everything",
  { timeout: 120_000 },
  async () => {
    const { target, mirror } = await pair();
    const before = await target.refs();
    await commitHere(bed, mirror.repository);
    for (const [at, [name, answer, said]] of refusals.entries()) {
      bed.source.answer = answer;
      expect([name, await mirror.sync()]).toMatchObject([
        name,
        { status: "failed", error: expect.stringMatching(said), changed_refs: 0 },
      ]);
      expect(await mirror.get()).toMatchObject({ status: "failing", failures: at + 1, diverged: [] });
      expect(await target.refs()).toEqual(before);
    }
    bed.source.answer = (_request, _response, usual) => usual();
    expect(await mirror.sync()).toMatchObject({ status: "succeeded", changed_refs: 1 });
    expect(await mirror.get()).toMatchObject({ status: "up_to_date", failures: 0, failing_since: null });
    expect(await target.refs()).toEqual(await mirror.repository.refs());
  },
);

test("what a target took without saying so is known as ours, also when it was rewritten here meanwhile", async () => {
  const { target, mirror } = await pair();
  await commitHere(bed, mirror.repository);
  bed.source.answer = onlyPushes(takesAndCuts);
  expect(await mirror.sync()).toMatchObject({
    status: "failed",
    error: expect.stringMatching(/broke off|reached/),
  });
  expect(await target.refs()).toEqual(await mirror.repository.refs());
  const tree = await bed.git.workTree({ "new.txt": "new" });
  await bed.git.run(["push", "--force", bed.address(mirror.repository), "HEAD:refs/heads/main"], {
    cwd: tree,
  });
  bed.source.answer = (_request, _response, usual) => usual();
  expect(await mirror.sync()).toMatchObject({ status: "succeeded", changed_refs: 1 });
  expect(await target.refs()).toEqual(await mirror.repository.refs());
});

test("a ref that the target refuses holds up no other, and its reason is shown", async () => {
  const { target, mirror } = await pair();
  await mkdir(`${target.directory}/hooks`, { recursive: true });
  const hook = '#!/bin/sh\ncase $1 in */main) echo "main is \\033[31mfrozen\\007"; exit 1;; esac\n';
  await writeFile(`${target.directory}/hooks/update`, hook, { mode: 0o755 });
  await commitHere(bed, mirror.repository);
  await bed.send("POST", `${mirror.repository.at}/branches`, { name: "topic", ref: "main" });
  const sync = await mirror.sync();
  expect(sync).toMatchObject({ status: "failed", changed_refs: 1 });
  expect(sync.refs.map(({ ref }) => ref)).toEqual(["refs/heads/topic"]);
  expect(sync.error).toMatch(/^The target refused: refs\/heads\/main \(hook declined\)\. It said: main is/);
  expect(sync.error).toMatch(/^[\x20-\x7e]*$/);
  // Nothing waits for that: what is pushed next is pushed on.
  await mirror.change({ on_push: true });
  await commitHere(bed, mirror.repository, { branch: "topic" });
  await eventually(async () => {
    const [here, there] = await Promise.all([mirror.repository.refs(), target.refs()]);
    return here.find((line) => line.endsWith("/topic")) === there.find((line) => line.endsWith("/topic"));
  });
});

test("a ref that changes at the target between the look and the push is left as it is", async () => {
  const { target, mirror } = await pair();
  await commitHere(bed, mirror.repository);
  let theirs = "";
  bed.source.answer = (request, _response, usual) => {
    if (!request.url?.includes("service=git-receive-pack") || theirs !== "") return usual();
    void target.commit("main", { "theirs.txt": "theirs" }).then((oid) => {
      theirs = oid;
      usual();
    });
  };
  const sync = await mirror.sync();
  expect(sync).toMatchObject({ status: "failed", changed_refs: 0 });
  expect(sync.error).toContain("Somebody else has changed what is at the target");
  expect(await target.refs()).toEqual([`${theirs} refs/heads/main`]);
  await mirror.sync();
  expect(await mirror.get()).toMatchObject({ status: "diverged", diverged: [{ there: theirs }] });
});

test("three failures in a row are told once, and so is the end; a push begins nothing while it waits, and the wait ends", async () => {
  const { target, mirror } = await pair();
  await bed.database.query("update users set email = 'ada@example.com' where id = $1", [bed.ada.id]);
  const mails = async () =>
    ((await bed.send("GET", "/admin/mails?per_page=100")).json as { kind: string; subject: string }[])
      .filter(({ subject }) => subject.includes(`push mirror of ada/${mirror.repository.name}`))
      .map(({ kind }) => kind);
  await commitHere(bed, mirror.repository);
  bed.source.answer = status(503);
  await mirror.sync();
  await mirror.sync();
  expect(await mails()).toEqual([]);
  for (let count = 0; count < 3; count += 1) await mirror.sync();
  expect(await mails()).toEqual(["mirror_failing"]);
  const failing = await mirror.get();
  const waitMinutes = (new Date(failing.next_sync_at ?? 0).getTime() - Date.now()) / 60_000;
  expect(waitMinutes).toBeGreaterThan(79);
  expect(waitMinutes).toBeLessThanOrEqual(80);
  const syncs = bed.server.container.automation.pushMirrorSyncs;
  await bed.database.query("update push_mirrors set requested = 'push' where id = $1", [mirror.id]);
  await syncs.sync(mirror.id, { work: "pushed", signal: new AbortController().signal });
  expect((await mirror.get()).failures).toBe(5);
  bed.source.answer = (_request, _response, usual) => usual();
  await bed.database.query("update push_mirrors set not_before = now() where id = $1", [mirror.id]);
  await expect
    .poll(async () => (await mirror.get()).status, { timeout: 50_000, interval: 500 })
    .toBe("up_to_date");
  expect(await target.refs()).toEqual(await mirror.repository.refs());
  await mirror.sync();
  expect((await mails()).toSorted()).toEqual(["mirror_failing", "mirror_works_again"]);
});

test("what arrived of a sync that was cut off is ours still when the next one is cut off, too", async () => {
  const { target, mirror } = await pair();
  const { repository } = mirror;
  const first = (await repository.refs())[0]?.slice(0, 40) ?? "";
  await commitHere(bed, repository);
  bed.source.answer = onlyPushes(takesAndCuts);
  expect(await mirror.sync()).toMatchObject({ status: "failed" });
  const { git } = bed.server.container.platform;
  await git.run({ directory: repository.directory, args: ["update-ref", "refs/heads/main", first] });
  bed.source.answer = onlyPushes((request, response, usual) =>
    request.method === "POST" ? void response.writeHead(503).end() : usual(),
  );
  expect(await mirror.sync()).toMatchObject({ status: "failed" });
  bed.source.answer = (_request, _response, usual) => usual();
  expect(await mirror.sync()).toMatchObject({ status: "succeeded", changed_refs: 1 });
  expect(await target.refs()).toEqual(await repository.refs());
});

test("a sync waits for another one of its mirror, unless nothing is heard of that one any more", async () => {
  const { mirror } = await pair();
  const syncs = bed.server.container.automation.pushMirrorSyncs;
  const { signal } = new AbortController();
  let go = () => undefined as void;
  const arrived = new Promise<void>((resolve) => {
    bed.source.answer = (_request, _response, usual) => {
      go = usual;
      resolve();
    };
  });
  await bed.send("POST", `${mirror.at}/sync`);
  await arrived;
  bed.source.answer = (_request, _response, usual) => usual();
  const early = syncs.sync(mirror.id, { work: "early", signal });
  expect(await Promise.race([early, mirror.ended().then(() => "ended"), sleep(600, "waits")])).toBe("waits");
  go();
  expect(await mirror.ended()).toMatchObject({ status: "succeeded", error: null });
  await early;
  const left = newId("sync");
  await bed.database.query(
    "insert into mirror_syncs (id, push_mirror_id, cause, work, seen_at) values ($1, $2, 'push', 'left', now() - interval '1 minute')",
    [left, mirror.id],
  );
  await bed.database.query("update push_mirrors set requested = 'push' where id = $1", [mirror.id]);
  await syncs.sync(mirror.id, { work: "next", signal });
  const [next, cutOff] = await mirror.history();
  expect(cutOff).toMatchObject({ id: left, status: "cancelled" });
  expect(next).toMatchObject({ status: "succeeded" });
});
