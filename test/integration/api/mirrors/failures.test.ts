/** Sources that are away, refuse, lie or break off: nothing changes here, somebody is told why, and it works again when they do. */
import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { startMirrorBed, type Mirrored, type MirrorBed } from "../../../support/mirror-bed.ts";
import type { SourceAnswer, SourceRepository } from "../../../support/git-source.ts";

let bed: MirrorBed;
beforeAll(async () => {
  bed = await startMirrorBed({ name: "mirror-failures", env: { FORGELINE_MAX_FILE_BYTES: "100000" } });
});
afterAll(() => bed?.close());
afterEach(() => {
  bed.source.answer = (_request, _response, usual) => usual();
});

let made = 0;
async function pair(): Promise<{ source: SourceRepository; mirror: Mirrored }> {
  const source = await bed.source.create(`failing${made++}`);
  await source.commit("main", { "a.txt": "a" });
  return { source, mirror: await bed.mirror(source) };
}

const status =
  (code: number, headers: Record<string, string> = {}): SourceAnswer =>
  (_request, response) =>
    void response.writeHead(code, headers).end();

const refusals: [string, SourceAnswer, RegExp][] = [
  ["404", status(404), /no repository at this address, or the credentials may not read it/],
  ["401", status(401, { "www-authenticate": "Basic" }), /did not accept the credentials, or requires some/],
  ["500", status(500), /server of the source answered with status 500/],
  ["429", status(429), /allows no more requests for now/],
  ["a redirect", status(302, { location: "https://127.0.0.1:1/x.git" }), /redirects to another address/],
  ["a reset", (_request, response) => void response.socket?.destroy(), /could not be reached|broke off/],
  [
    "something else than Git",
    (_request, response) =>
      void response.writeHead(200, { "content-type": "text/html" }).end("<h1>Hello</h1>"),
    /is no Git repository/,
  ],
  [
    "a pack that is cut",
    (request, response, usual) => {
      if (request.method !== "POST" || request.headers["content-length"] === "0") return usual();
      const write = response.write.bind(response);
      response.write = ((chunk: Buffer) => {
        write(chunk.subarray(0, 200));
        response.socket?.destroy();
        return false;
      }) as typeof response.write;
      usual();
    },
    // Where it is cut at once, no byte of it may have come.
    /broke off|could not be reached/,
  ],
];

test(
  "a source that answers with an error or nonsense is not followed, and says why; then it is followed again",
  { timeout: 120_000 },
  async () => {
    const { source, mirror } = await pair();
    const before = await mirror.refs();
    await source.commit("main", { "big.txt": Buffer.alloc(3_000, "abc\u00e4").toString("hex") });
    for (const [at, [name, answer, said]] of refusals.entries()) {
      bed.source.answer = answer;
      expect([name, await mirror.sync()]).toMatchObject([
        name,
        { status: "failed", error: expect.stringMatching(said), changed_refs: 0 },
      ]);
      expect(await mirror.get()).toMatchObject({ status: "failing", failures: at + 1 });
      expect(await mirror.refs()).toEqual(before);
    }
    bed.source.answer = (_request, _response, usual) => usual();
    expect(await mirror.sync()).toMatchObject({ status: "succeeded", changed_refs: 1 });
    expect(await mirror.get()).toMatchObject({ status: "up_to_date", failures: 0, failing_since: null });
    expect(await mirror.refs()).toEqual(await source.refs());
    expect((await readdir(`${mirror.directory}/objects`)).filter((name) => name.startsWith("tmp_"))).toEqual(
      [],
    );
  },
);

test("objects that are not allowed are not taken: damaged ones, and files that are too large", async () => {
  const { source, mirror } = await pair();
  const before = await mirror.refs();
  const bad = await new Promise<string>((resolve, reject) => {
    const args = [
      "--git-dir",
      source.directory,
      "hash-object",
      "-t",
      "commit",
      "-w",
      "--stdin",
      "--literally",
    ];
    const child = execFile("git", args, (error, stdout) => (error ? reject(error) : resolve(stdout.trim())));
    void source
      .git("rev-parse", "main^{tree}")
      .then((tree) =>
        child.stdin?.end(`tree ${tree}\nauthor Somebody 0 +0000\ncommitter Somebody 0 +0000\n\nx\n`),
      );
  });
  await source.git("update-ref", "refs/heads/bad", bad);
  expect(await mirror.sync()).toMatchObject({
    status: "failed",
    error: expect.stringMatching(/damaged or not allowed\. \(missingEmail in [0-9a-f]{40}\)/),
  });
  await source.git("update-ref", "-d", "refs/heads/bad");
  await source.commit("large", { "large.bin": "x".repeat(200_000) });
  expect(await mirror.sync()).toMatchObject({
    status: "failed",
    error: expect.stringContaining("large.bin has 0.2 MiB"),
  });
  expect(await mirror.refs()).toEqual(before);
});

test("three failures in a row are told once, and so is the end; scheduled syncs wait longer each time", async () => {
  const { source, mirror } = await pair();
  await bed.database.query("update users set email = 'ada@example.com' where id = $1", [bed.ada.id]);
  const mails = async () =>
    ((await bed.send("GET", "/admin/mails?per_page=100")).json as { kind: string; subject: string }[])
      .filter(({ subject }) => subject.includes(mirror.name))
      .map(({ kind }) => kind);
  bed.source.answer = status(503);
  await mirror.sync();
  await mirror.sync();
  expect(await mails()).toEqual([]);
  for (let count = 0; count < 3; count += 1) await mirror.sync();
  expect(await mails()).toEqual(["mirror_failing"]);
  const failing = await mirror.get();
  expect(failing).toMatchObject({ failures: 5, status: "failing" });
  // After five: eight intervals, within a minute.
  const waitMinutes = (new Date(failing.next_sync_at ?? 0).getTime() - Date.now()) / 60_000;
  expect(waitMinutes).toBeGreaterThan(7.9 * 60);
  const syncs = bed.server.container.automation.mirrorSyncs;
  await syncs.sync(mirror.id, { work: "scheduled", signal: new AbortController().signal });
  expect((await mirror.get()).failures).toBe(5);
  bed.source.answer = (_request, _response, usual) => usual();
  await source.commit("main", { "b.txt": "b" });
  expect(await mirror.sync()).toMatchObject({ status: "succeeded", changed_refs: 1 });
  await mirror.sync();
  expect((await mails()).toSorted()).toEqual(["mirror_failing", "mirror_works_again"]);
});

test("a preview of what cannot be read says why", async () => {
  const { mirror } = await pair();
  bed.source.answer = status(404);
  const answer = await bed.send("POST", `${mirror.at}/mirror/preview`, {
    url: `${bed.source.url}/absent.git`,
  });
  expect([answer.status, answer.json.message]).toEqual([
    409,
    expect.stringContaining("no repository at this address"),
  ]);
});
