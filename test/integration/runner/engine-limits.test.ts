/** Limits and walls of a job's container: what a step cannot do, and how it ends when it tries. */
import { access, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ensureBaseImage } from "@forgeline/launcher/base-image.ts";
import { eventually } from "../../support/eventually.ts";
import { docker, engineBed, leftOver, never, runToEnd, step, textOf, type EngineBed } from "./docker-job.ts";
import { testLimits } from "../../support/runner-limits.ts";

const none = { cpu: null, memoryBytes: null, shmBytes: null };

describe("limits of a job's container", () => {
  let bed: EngineBed;
  beforeAll(async () => {
    await ensureBaseImage(docker);
    bed = await engineBed({ limits: { ...testLimits, processes: 64 } });
  });
  afterAll(() => bed.close());

  it("calls a step that used up the memory oom, and runs the next one", async () => {
    await bed.inJob({ resources: { ...none, memoryBytes: 32 * 1024 * 1024 } }, async (environment) => {
      const hungry = await runToEnd(environment, step(0, "x=xxxxxxxxxxxxxxxx; while :; do x=$x$x; done"));
      expect(hungry.exit).toEqual({ kind: "oom" });
      expect((await runToEnd(environment, step(1, "echo still here"))).output).toBe("still here\n");
      // Not what only ran beside the step that used up the memory.
      const fill = "until [ -e begun ]; do sleep 0.05; done; x=xxxxxxxxxxxxxxxx; while :; do x=$x$x; done";
      const [first, beside] = await Promise.all([
        environment.runStep(step(2, fill), never),
        // Waits without asking for memory: whoever asks while what was killed still has it is killed too.
        environment.runStep(step(3, "mkfifo over; touch begun; read line <over; exit 3"), never),
      ]);
      expect(await first.wait(never)).toEqual({ kind: "oom" });
      await writeFile(join(environment.workspaceDir, "over"), "\n");
      expect(await beside.wait(never)).toEqual({
        kind: "exited",
        code: 3,
        note: "A process of this step, or of one that ran at the same time, was killed since the job's memory was used up.",
      });
      expect((await runToEnd(environment, step(4, "exit 4"))).exit).toEqual({ kind: "exited", code: 4 });
      // Nor what the script bore; but that is told.
      const bearing = step(5, "sh -c 'x=xxxxxxxxxxxxxxxx; while :; do x=$x$x; done' || echo killed");
      expect(await runToEnd(environment, bearing)).toMatchObject({
        exit: {
          kind: "exited",
          code: 0,
          note: "A process of this step was killed since the job's memory was used up.",
        },
      });
    });
  });

  it("ends a fork bomb by a signal, says which limit it met, and runs the next step", async () => {
    await bed.inJob({}, async (environment) => {
      const bomb = await environment.runStep(
        step(0, "b() { b | b & wait; }; (while :; do b; done) & exec sleep 1000"),
        never,
      );
      await eventually(async () => (await textOf(bomb.outputFile)).includes("fork"));
      await bomb.kill("KILL");
      const exit = await bomb.wait(never);
      expect(exit).toEqual({ kind: "exited", code: 137, note: "The limit of 64 processes was reached." });
      expect((await runToEnd(environment, step(1, "echo free"))).output).toBe("free\n");
    });
  });

  it("ends a step that left its process group, or that has killed all that it may, by killing everything", async () => {
    await bed.inJob({}, async (environment) => {
      const hide = "trap '' TERM; setsid sh -c 'echo on; sleep 1000' & wait";
      const kill = "kill -9 -1 2>/dev/null || true; echo on; sleep 1000";
      for (const [position, script] of [hide, kill].entries()) {
        const deaf = await environment.runStep(step(position, script), never);
        await eventually(async () => (await textOf(deaf.outputFile)) === "on\n");
        await deaf.kill("KILL");
        expect(await deaf.wait(never)).toMatchObject({ kind: "exited", code: 137 });
      }
    });
  });

  it("keeps the seven capabilities and no new privileges", async () => {
    await bed.inJob({}, async (environment) => {
      const { output } = await runToEnd(
        environment,
        step(0, "grep -E '^(CapBnd|NoNewPrivs|Seccomp):' /proc/self/status; ls /var/run/docker.sock"),
      );
      const kept = [0, 1, 3, 4, 5, 6, 7].reduce((bits, bit) => bits | (1 << bit), 0);
      expect(output).toContain(`CapBnd:\t${kept.toString(16).padStart(16, "0")}\n`);
      expect(output).toContain("NoNewPrivs:\t1\n");
      expect(output).toContain("Seccomp:\t2\n");
      expect(output).toContain("No such file");
    });
  });

  it("shows no value of a step in the container's settings or in arguments, and removes its script", async () => {
    await bed.inJob({}, async (environment) => {
      const secret = "canary-4711";
      const { output } = await runToEnd(
        environment,
        step(0, 'cat /proc/*/cmdline; echo "<$TOKEN>"', { env: { TOKEN: secret } }),
      );
      expect(output.split(secret)).toHaveLength(2);
      expect(output).toContain(`<${secret}>`);
      const info = await docker.getContainer(environment.handle.containerId).inspect();
      expect(JSON.stringify(info)).not.toContain(secret);
      expect((await runToEnd(environment, step(1, "cat ${CI_OUTPUT%/out/*}/in/*.env"))).output).not.toContain(
        secret,
      );
    });
  });

  it("sets aside what a step put in the place of a later one's files, and says so", async () => {
    await bed.inJob({}, async (environment) => {
      const trap = [
        "cd ${CI_OUTPUT%/*}; ln -s /etc/hostname step-1.out; ln -s /etc/hostname step-1.ci; mkdir -p step-1.summary/x",
        "mkdir own; echo 'ended 1 0 0 0 0' >own/journal; echo 'ended 1 0 0 0 0' >journal; ls ../in",
      ];
      expect((await runToEnd(environment, step(0, trap.join("\n")))).output).toBe("step-0.env\nstep-0.sh\n");
      const later = await environment.runStep(step(1, 'echo a=b >>"$CI_OUTPUT"; echo said; exit 4'), never);
      expect(later.planted).toEqual(["step-1.ci", "step-1.summary"]);
      expect(await later.wait(never)).toEqual({ kind: "exited", code: 4 });
      expect(await textOf(later.outputFile)).toBe("said\n");
      expect(await textOf(later.ciOutputFile)).toBe("a=b\n");
    });
  });

  it("refuses a directory outside the workspace, and a name that is no variable", async () => {
    await bed.inJob({}, async (environment) => {
      for (const workdir of ["..", "/etc", "a/../../b"]) {
        await expect(environment.runStep(step(0, "true", { workdir }), never)).rejects.toThrow(
          "is outside the workspace",
        );
      }
      await expect(environment.runStep(step(0, "true", { env: { "A;B": "" } }), never)).rejects.toThrow(
        "environment variable",
      );
    });
  });

  it("says that the container is lost when it was removed from outside", async () => {
    await bed.inJob({}, async (environment) => {
      const running = await environment.runStep(step(0, "sleep 1000"), never);
      await docker.getContainer(environment.handle.containerId).remove({ force: true });
      expect(await running.wait(never)).toMatchObject({ kind: "container_lost" });
    });
  });

  it("removes everything, whoever wrote it, and leaves other containers alone", async () => {
    const canary = join(await mkdtemp(join(tmpdir(), "forgeline-canary-")), "file");
    const foreign = await docker.createContainer({
      Image: "forgeline/base:1",
      Cmd: ["sleep", "1000"],
      Labels: { "forgeline.runner": "rnr_other", "forgeline.job": "forgeline-x" },
    });
    try {
      const environment = await bed.prepare();
      await environment.ready(never);
      await runToEnd(
        environment,
        step(0, "mkdir -p a/b; chmod 0 a; chown -R 1234:99 .; touch ${CI_OUTPUT%/*}/x"),
      );
      await environment.destroy();
      await mkdir(join(bed.workDir, "forgeline-stale"));
      await writeFile(join(bed.workDir, "forgeline-stale", "file"), "");
      await writeFile(canary, "");
      await symlink(dirname(canary), join(bed.workDir, "forgeline-link"));
      await bed.another().sweep(new Set());
      await access(canary);
      expect(await leftOver(bed.runnerId)).toEqual([]);
      expect((await foreign.inspect()).Id).toBe(foreign.id);
      expect(basename(environment.handle.jobDir)).toMatch(/^forgeline-att_/);
    } finally {
      await foreign.remove({ force: true });
      await rm(dirname(canary), { recursive: true });
    }
  });
});
