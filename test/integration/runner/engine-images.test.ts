/** Images of every kind: other shells, other users, no shell, absent, one step with its own. */
import { lstat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ensureBaseImage } from "@forgeline/launcher/base-image.ts";
import { eventually } from "../../support/eventually.ts";
import { telling } from "../../support/size.ts";
import { importTestImage, type TestImage } from "../../support/test-image.ts";
import { docker, engineBed, never, runToEnd, step, textOf, type EngineBed } from "./docker-job.ts";

const images = {
  dash: { name: "forgeline/test-dash:1", programs: [{ path: "/usr/bin/dash", as: ["sh"] }] },
  bash: { name: "forgeline/test-bash:1", programs: [{ path: "/usr/bin/bash", as: ["bash", "sh"] }] },
  bare: {
    name: "forgeline/test-bare:1",
    programs: [{ path: "/usr/bin/dash", as: ["sh"] }],
    withoutApplets: ["setsid"],
  },
  user: { name: "forgeline/test-user:1", changes: ["USER 1000:1000"] },
  // Says how it was called.
  pwsh: { name: "forgeline/test-pwsh:1", programs: [{ path: "/usr/bin/echo", as: ["pwsh"] }] },
  noShell: { name: "forgeline/test-no-shell:1", withoutApplets: ["sh", "ash"] },
} satisfies Record<string, TestImage>;

const awkward = 'it\'s `x` $HOME "q" \\ \t\n second line \u00e4\u{1f680}\r!*?[~]#';

describe("images", () => {
  let bed: EngineBed;
  beforeAll(async () => {
    await ensureBaseImage(docker);
    for (const image of Object.values(images)) await importTestImage(docker, image);
    bed = await engineBed();
  });
  afterAll(async () => {
    await bed.close();
    for (const { name } of Object.values(images)) await docker.getImage(name).remove({ force: true });
  });

  it.each(telling(["forgeline/base:1", images.bash.name, images.bare.name], [images.dash.name]))(
    "the supervisor works in %s",
    async (name) => {
      await bed.inJob({ image: { name, user: null } }, async (environment) => {
        const env = { AWKWARD: awkward, UID: "77", PATH: "/bin" };
        const script = 'printf "%s" "$AWKWARD"\nprintf "|%s|" "$(env | grep ^UID=)"\nfalse\necho unreachable';
        const first = await runToEnd(environment, step(0, script, { env }));
        expect(first).toEqual({ exit: { kind: "exited", code: 1 }, output: `${awkward}|UID=77|` });
        const order = step(1, "for i in 1 2 3; do echo out$i; echo err$i >&2; done");
        expect((await runToEnd(environment, order)).output).toBe("out1\nerr1\nout2\nerr2\nout3\nerr3\n");
        const caught = await environment.runStep(
          step(2, "trap 'echo bye; exit 9' TERM; echo on; sleep 1000 & wait"),
          never,
        );
        await eventually(async () => (await textOf(caught.outputFile)) === "on\n");
        await caught.kill("TERM");
        expect(await caught.wait(never)).toEqual({ kind: "exited", code: 9 });
        expect(await textOf(caught.outputFile)).toContain("bye\n");
        const hard = await environment.runStep(step(3, "trap '' TERM; while :; do sleep 1000; done"), never);
        await hard.kill("KILL");
        expect(await hard.wait(never)).toEqual({ kind: "exited", code: 137 });
      });
    },
  );

  it("uses bash with pipefail where there is one, and sh where asked", async () => {
    await bed.inJob({ image: { name: images.bash.name, user: null } }, async (environment) => {
      const pipe = "[[ -n $BASH_VERSION ]] && false | true\necho unreachable";
      expect(await runToEnd(environment, step(0, pipe))).toMatchObject({ exit: { code: 1 }, output: "" });
      const sh = await runToEnd(environment, step(1, "false | true\necho reached", { shell: "sh" }));
      expect(sh).toMatchObject({ exit: { code: 0 }, output: "reached\n" });
    });
    await bed.inJob({}, async (environment) => {
      const asked = await runToEnd(environment, step(0, "true", { shell: "bash" }));
      expect(asked).toMatchObject({ exit: { code: 127 }, output: "forgeline: this image has no bash\n" });
    });
  });

  it("runs a step without a shell by the program in its first line", async () => {
    await bed.inJob({}, async (environment) => {
      const env = { AWKWARD: awkward, UID: "77" };
      const awk = '#!/bin/awk -f\nBEGIN { printf "%s|%s", ENVIRON["AWKWARD"], ENVIRON["UID"]; exit 3 }\n';
      const ran = await runToEnd(environment, step(0, awk, { shell: "none", env }));
      expect(ran).toEqual({ exit: { kind: "exited", code: 3 }, output: `${awkward}|77` });
      const own = step(1, "#!/bin/env bash\n[[ -n $BASH_VERSION ]]", {
        shell: "none",
        image: { name: images.bash.name, user: null },
      });
      expect(await runToEnd(environment, own)).toMatchObject({ exit: { code: 0 } });
      const missing = await runToEnd(environment, step(2, "#!/bin/python9 -u\n", { shell: "none" }));
      expect(missing).toMatchObject({
        exit: { code: 127 },
        output: "forgeline: this image has no /bin/python9\n",
      });
    });
  });

  it("runs PowerShell where there is one", async () => {
    await bed.inJob({ image: { name: images.pwsh.name, user: null } }, async (environment) => {
      const { output } = await runToEnd(environment, step(0, "Get-Date", { shell: "pwsh" }));
      expect(output).toMatch(/^-NoProfile -NonInteractive -File \/forgeline-[0-9a-f]+\/in\/step-0\.sh\n$/);
    });
    await bed.inJob({}, async (environment) => {
      const asked = await runToEnd(environment, step(0, "Get-Date", { shell: "pwsh" }));
      expect(asked).toMatchObject({ exit: { code: 127 }, output: "forgeline: this image has no pwsh\n" });
    });
  });

  it.each([
    ["the image's", images.user.name, null],
    ["the file's", "forgeline/base:1", "1000:1000"],
  ])("gives the workspace to %s user", async (_whose, name, user) => {
    await bed.inJob({ image: { name, user } }, async (environment) => {
      await writeFile(join(environment.workspaceDir, "cloned"), "");
      await environment.ready(never);
      expect((await lstat(join(environment.workspaceDir, "cloned"))).uid).toBe(1000);
      const ran = await runToEnd(environment, step(0, "id -u; rm cloned; touch mine; mkdir d; cd d; pwd"));
      expect(ran).toMatchObject({ exit: { code: 0 }, output: "1000\n/workspace/d\n" });
      expect((await runToEnd(environment, step(1, "pwd", { workdir: "d" }))).output).toBe("/workspace/d\n");
    });
  });

  it("runs a step with its own image on the same workspace and network", async () => {
    await bed.inJob({}, async (environment) => {
      await runToEnd(environment, step(0, "echo from the job >note"));
      const own = step(1, "cat note; echo back >>note; [ -n $BASH_VERSION ]", {
        image: { name: images.bash.name, user: null },
      });
      expect(await runToEnd(environment, own)).toMatchObject({ exit: { code: 0 }, output: "from the job\n" });
      expect((await runToEnd(environment, step(2, "cat note"))).output).toBe("from the job\nback\n");
    });
  });

  it("lets steps of different users change each other's files, in turn and beside each other", async () => {
    const other = (user: string) => ({ image: { name: images.bash.name, user } });
    await bed.inJob({ stepContainers: 3 }, async (environment) => {
      await runToEnd(environment, step(0, "mkdir -p d; echo job >d/note"));
      const asUser = step(1, "id -u; echo user >>d/note; mkdir mine", other("1000:1000"));
      expect(await runToEnd(environment, asUser)).toMatchObject({ exit: { code: 0 }, output: "1000\n" });
      const back = await runToEnd(environment, step(2, "cat d/note; stat -c %u d mine"));
      expect(back.output).toBe("job\nuser\n0\n0\n");
      const first = await environment.runStep(
        step(3, "while [ ! -e go ]; do sleep 0.1; done; touch kept", other("1000:1000")),
        never,
      );
      const beside = await runToEnd(environment, step(4, "stat -c %u d", other("1001:1001")));
      expect(beside.output).toBe("1000\n");
      await writeFile(join(environment.workspaceDir, "go"), "");
      expect(await first.wait(never)).toMatchObject({ code: 0 });
    });
  });

  it("ends a step's own container with the step, whatever it left running", async () => {
    await bed.inJob({}, async (environment) => {
      const own = step(1, "sleep 1000 & echo left", { image: { name: images.bash.name, user: null } });
      expect((await runToEnd(environment, own)).output).toBe("left\n");
      const filters = { label: [`forgeline.runner=${bed.runnerId}`] };
      const running = await docker.listContainers({ filters });
      expect(running.map(({ Labels }) => Labels["forgeline.kind"])).toEqual(["job"]);
    });
  });

  it("mounts the certificate authority and names extra hosts", async () => {
    const caFile = join(bed.workDir, "ca.pem");
    await writeFile(caFile, "a certificate\n");
    await bed.inJob({ caFile, extraHosts: ["forge.test:192.0.2.7"] }, async (environment) => {
      const { output } = await runToEnd(
        environment,
        step(0, "cat /forgeline/ca.pem; grep forge.test /etc/hosts; echo x >/forgeline/ca.pem"),
      );
      expect(output).toContain("a certificate\n192.0.2.7\tforge.test\n");
      expect(output).toContain("Read-only");
    });
  });

  it("says no_shell of an image without one, and leaves nothing", async () => {
    const image = { name: images.noShell.name, user: null };
    await expect(bed.prepare({ image })).rejects.toMatchObject({ code: "no_shell" });
    const filters = { label: [`forgeline.runner=${bed.runnerId}`] };
    expect(await docker.listNetworks({ filters })).toEqual([]);
  });

  it("names the images that are here when one cannot be pulled, and takes no id for a name", async () => {
    const absent = bed.prepare({ image: { name: "localhost:1/nothing:1", user: null } });
    await expect(absent).rejects.toMatchObject({
      code: "image_pull",
      message: expect.stringContaining("forgeline/base:1"),
    });
    const { Id } = await docker.getImage("forgeline/base:1").inspect();
    for (const name of [Id, Id.replace("sha256:", "").slice(0, 12), "../containers/json", "A b"]) {
      await expect(bed.prepare({ image: { name, user: null } })).rejects.toMatchObject({
        code: "image_pull",
      });
    }
  });
});
