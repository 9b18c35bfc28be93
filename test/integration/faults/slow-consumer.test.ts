/** Rows R12 and R13 of reliability.md, small: who reads slowly, or not at all, is nobody else's problem and misses nothing. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startFaultProxy, type FaultProxy } from "../../support/fault-proxy.ts";
import { sharedFaultBed, type SharedFaultBed } from "../../support/shared-fault-bed.ts";
import { startWatchers, sha256 } from "../../support/watcher-process.ts";
import { addressWithToken, createGitClient, type GitClient } from "../git/git-client.ts";

let bed: SharedFaultBed;
let slow: FaultProxy;
let git: GitClient;
beforeAll(async () => {
  bed = await sharedFaultBed();
  git = await createGitClient(bed.instance.certificates.caFile);
  slow = await startFaultProxy({ host: "127.0.0.1", port: Number(new URL(bed.instance.url).port) });
});
afterAll(async () => {
  await slow?.close();
  await git?.remove();
});
const slowUrl = () => `https://localhost:${slow.port}`;

it(
  "a hundred viewers get every byte beside stopped and slow ones, which get it later",
  { timeout: 150_000 },
  async () => {
    const { instance } = bed;
    const run = await bed.begin({ count: 80_000, perPause: 2000 });
    const stopped = startWatchers(instance, run, { viewers: 5, job: "only" });
    await stopped.open;
    process.kill(stopped.pid, "SIGSTOP");
    const crawling = startWatchers(instance, run, { viewers: 5, job: "only", url: slowUrl() });
    await crawling.open;
    slow.set({ name: "rate", bytesPerSecond: 1000 });
    const healthy = startWatchers(instance, run, { viewers: 100, job: "only" });
    await healthy.open;
    expect((await bed.judge(run)).problems).toEqual([]);
    const expected = [sha256((await bed.repository.log(run, "only"))?.text ?? "")];
    expect(await healthy.ended).toEqual({ hashes: expected, connections: 100 });
    process.kill(stopped.pid, "SIGCONT");
    expect((await stopped.ended).hashes).toEqual(expected);
    slow.set({ name: "pass" });
    expect((await crawling.ended).hashes).toEqual(expected);
  },
);

it("a clone at 2 kB/s holds up no other", { timeout: 150_000 }, async () => {
  const { instance } = bed;
  const tree = await git.workTree({
    big: Buffer.from(crypto.getRandomValues(new Uint8Array(60_000))).toString("hex"),
  });
  await instance.api("POST", "/repos", { name: "big" });
  const address = (url: string) => addressWithToken(url, `${instance.adminName}/big`, instance.adminToken);
  await git.ok(["push", "-q", address(instance.url), "HEAD:main"], { cwd: tree });
  slow.set({ name: "rate", bytesPerSecond: 2000 });
  const crawling = Array.from({ length: 4 }, (_, i) =>
    spawn("git", ["clone", "-q", address(slowUrl()), join(git.home, `slow-${i}`)], {
      env: {
        PATH: process.env["PATH"],
        GIT_SSL_CAINFO: instance.certificates.caFile,
        GIT_CONFIG_NOSYSTEM: "1",
        HOME: git.home,
      },
      stdio: "ignore",
    }),
  );
  const ends = Promise.all(crawling.map((child) => once(child, "exit")));
  for (let i = 0; i < 3; i++)
    await git.ok(["clone", "-q", address(instance.url), join(git.home, `quick-${i}`)]);
  expect(crawling.map((child) => child.exitCode)).toEqual([null, null, null, null]);
  slow.set({ name: "pass" });
  expect((await ends).map(([code]) => code as number)).toEqual([0, 0, 0, 0]);
});
