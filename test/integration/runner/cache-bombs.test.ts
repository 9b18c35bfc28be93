/**
 * Row 45 of security.md: a job that saves by the address of its token whatever it wants. The job that restores it says so in its log and
 * goes on without; nothing is written elsewhere, and the runner stays as it is.
 */
import { randomBytes } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sendTo } from "../../support/api-server.ts";
import { eventually } from "../../support/eventually.ts";
import { archiveOf, manyFiles, zerosBehind } from "../../support/hostile-archives.ts";
import { bringCache } from "../../support/job-caches.ts";
import { createProject, jobOf, type Project } from "../../support/project.ts";
import { sharedInstance, type SharedInstance } from "../../support/shared-instance.ts";
import { size, telling } from "../../support/size.ts";

let instance: SharedInstance;
let project: Project;
beforeAll(async () => {
  instance = await sharedInstance();
  project = await createProject(instance, "cache-bombs");
});
afterAll(() => project?.remove());

interface Bomb {
  name: string;
  make(): Promise<Buffer>;
  /** What the log says of it. */
  says: string;
}

const long = (n: number) => `workspace/d/${`${"long".repeat(60)}/`.repeat(16)}${n}`;
const bombs = telling<Bomb>(
  [
    {
      name: "device",
      make: () => archiveOf({ path: "workspace/d/good" }, { type: "4", entry: { path: "workspace/d/sda" } }),
      says: 'it holds "workspace/d/sda", which is neither a file nor a link',
    },
    {
      name: "through-a-link",
      make: () =>
        archiveOf({ kind: "link", path: "workspace/d/l", target: "/etc" }, { path: "workspace/d/l/evil" }),
      says: "it holds a file below a link",
    },
    {
      name: "absolute",
      make: () => archiveOf({ path: "/etc/evil" }),
      says: "it holds a path that is not among the paths of this job's cache",
    },
    {
      name: "climbing",
      make: () => archiveOf({ path: "workspace/d/../../etc/evil" }),
      says: "it holds a path that is not among the paths of this job's cache",
    },
    {
      name: "huge",
      make: () => archiveOf({ path: "workspace/d/zeros", sizeBytes: 21_474_836_481 }),
      says: "its files have more than 21474836480 bytes, which is the limit",
    },
    {
      name: "long",
      make: () => archiveOf({ path: `workspace/d/${"x".repeat(10_000)}` }),
      says: "the path of a file has more than 4096 bytes",
    },
    {
      name: "behind",
      make: () => zerosBehind(size(64, 20_000), { path: "workspace/d/good" }),
      says: "it cannot be read: more follows its end",
    },
    {
      name: "noise",
      make: () => Promise.resolve(randomBytes(10_000)),
      says: "it cannot be read: its compression is damaged",
    },
  ],
  [
    {
      name: "million",
      make: () => manyFiles(1_000_001, (n) => `workspace/d/${n}`),
      says: "it has more than 1000000 files and directories, which is the limit",
    },
    {
      name: "names",
      make: () => manyFiles(100_000, long),
      says: "the paths of its files have more than 268435456 bytes together",
    },
  ],
);

function file(steps: string[]): string {
  const cache = bombs.map(({ name }) => ({ key: name, paths: ["d"], scope: "repo" }));
  return `${JSON.stringify({ jobs: { main: { image: "forgeline/base:1", clone: false, steps, cache } } })}\n`;
}

const patience = { timeout: size(120_000, 1_800_000) };
test(
  "what a job has saved by hand ends as a line of the log, and leaves nothing behind",
  patience,
  async () => {
    const saving = await project.push({
      ".forgeline.yml": file(["echo $CI_JOB_TOKEN | rev; sleep 600; exit 1"]),
    });
    const held = await project.runOf(saving.sha);
    expect(held.error ?? null, "void: the file is wrong").toBeNull();
    const reversed = await eventually(
      async () => {
        const log = await project.log(held, "job=main&step=0").catch(() => Buffer.alloc(0));
        return /^\S+_boj_cvs\n/m.exec(log.toString())?.[0];
      },
      { timeoutMs: 60_000 },
    );
    const token = reversed.trim().split("").toReversed().join("");
    const server = { api: await sendTo(instance.url, instance.certificates.caFile) };
    for (const [position, { name, make }] of bombs.entries()) {
      const bytes = await make();
      expect(bytes.length, name).toBeLessThan(20_000_000);
      expect(await bringCache(server, { token }, { key: name, bytes, position }), name).toMatchObject({
        saved: true,
      });
    }
    await instance.api("POST", `${project.path}/pipelines/${held.id}/cancel`, { force: true });

    const { sha } = await project.push({
      ".forgeline.yml": file(["ls /etc/evil /evil d/evil 2>/dev/null || true; ls d || true"]),
    });
    const run = await project.finished(sha, size(60_000, 900_000));
    expect(run.status, JSON.stringify(run.stages)).toBe("success");
    const setup = (await project.log(run, "job=main&step=setup")).toString();
    for (const { name, says } of bombs)
      expect(setup).toContain(`Cache ${name} could not be restored: ${says}`);
    const { warnings, warnings_omitted: omitted } = jobOf(run).attempts[0]!;
    expect(warnings.length + omitted).toBe(bombs.length);
    expect((await project.log(run, "job=main&step=0")).toString()).not.toContain("evil");
    const { directory } = instance.runners[0]!;
    const attempt = jobOf(run).attempts[0]!.id;
    const left = async () =>
      (await readdir(join(directory, "jobs"))).filter((name) => name.includes(attempt));
    await eventually(async () => (await left()).length === 0, { timeoutMs: size(30_000, 600_000) });
  },
);
