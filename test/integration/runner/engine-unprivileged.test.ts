/** A runner without root: the workspace still belongs to the image's user, and everything is still removed. */
import { execFile } from "node:child_process";
import { chown, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { ensureBaseImage } from "@forgeline/launcher/base-image.ts";
import { createDockerEngine } from "@forgeline/runner/engine/docker/docker-engine.ts";
import { docker, leftOver } from "./docker-job.ts";
import { testLimits } from "../../support/runner-limits.ts";

const run = promisify(execFile);

it("runs a job of another user without root, and leaves nothing", async () => {
  await ensureBaseImage(docker);
  const workDir = await mkdtemp(join(tmpdir(), "forgeline-plain-"));
  const runnerId = `rnr_plain${String(process.pid)}`;
  const { gid } = await stat("/var/run/docker.sock");
  const uid = process.getuid?.() === 0 ? 65_534 : (process.getuid?.() ?? 0);
  try {
    await chown(workDir, uid, gid);
    const program = join(import.meta.dirname, "unprivileged-agent.ts");
    const identity = process.getuid?.() === 0 ? { uid, gid } : {};
    const { stdout } = await run(process.execPath, [program, runnerId, workDir], { ...identity, cwd: "/" });
    const exit = { kind: "exited", code: 0 };
    expect(JSON.parse(stdout)).toEqual({ uid, exit, output: "1000\nlocked\n", left: [] });
    expect(await leftOver(runnerId)).toEqual([]);
  } finally {
    await createDockerEngine({
      limits: testLimits,
      runnerId,
      workDir,
      scriptsDir: join(workDir, "in"),
    }).sweep(new Set());
    await rm(workDir, { recursive: true, force: true });
  }
});
