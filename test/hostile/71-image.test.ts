/**
 * An image whose every program is hostile: it plants links wherever it may write, under each name that the runner ever
 * opens, and overwrites what it can see. Nothing of it runs outside the job's own containers, and nothing outside changes.
 */
import { chmod, lstat, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openEgress } from "@forgeline/runner/egress/settings.ts";
import { docker, onEachRunner, runHostile, tellsOfDaemon, type KindOfRunner } from "./support/hostile-bed.ts";
import { expectCaged, listedNames, optionNames } from "../support/create-options.ts";
import { importTestImage } from "../support/test-image.ts";
import { expectAsListed, kindsListed } from "./support/listed-containers.ts";

const image = "forgeline-test/hostile:1";
const imageOfStep = "forgeline-test/hostile-step:1";
const imageOfService = "forgeline-test/hostile-service:1";
const imageOfLinks = "forgeline-test/links:1";
/** Where links lead: files of the machine that only the runner could change. */
let canaries: string;
/** The second is the server's certificate authority, which containers of steps have. */
const canaryNames = ["file", "ca.pem"];

/** Each name that a runner has ever opened in a directory of a job. */
const names =
  "step-0.out step-1.out step-1.ci step-1.summary step-1.exit step-1.pid step-2.ci journal own services web.out job.json control run signal ready main mounted workspace state".split(
    " ",
  );

/** Run before each program that the image is asked for. */
function hostileProgram(target: string): string {
  return `#!/bin/busybox sh
[ -e /tmp/planted ] || for dir in / /job /job/main /job/services /job/own /workspace /forgeline* /forgeline*/in /forgeline*/out /forgeline*/out/own /forgeline*/state; do
  [ -d "$dir" ] || continue
  for name in ${names.join(" ")}; do
    at=$dir/$name
    /bin/busybox ln -sfn ${target}/file $at 2>/dev/null
    [ -L $at ] || /bin/busybox ln -sfn ${target} $at 2>/dev/null
    /bin/busybox ln $at $at.hard 2>/dev/null
  done
  /bin/busybox mkfifo ${names.map((name) => `$dir/${name}.fifo`).join(" ")} 2>/dev/null
  /bin/busybox find $dir -xdev -maxdepth 2 -type f -path '*forgeline*' 2>/dev/null | while read -r file; do
    echo overwritten >$file
  done 2>/dev/null
done
: >/tmp/planted
[ $0 = /init ] || exec /bin/busybox \${0##*/} "$@"
`;
}

/** Does as process 1 what ours does, but for running the steps: all of them succeed. */
const forgedProcess1 = `#!/bin/busybox sh
set -- $(awk '$5 ~ "evil.?/in$" {i = $5} $5 ~ "evil.?/out$" {o = $5} END {print i, o}' /proc/self/mountinfo)
exec 3<>"$1/control"
cd "$2/own"
exec 4>>journal
echo ready 0 0 sh >&4
while read -r word position <&3; do
  [ $word = run ] || continue
  echo "begun $position" >&4
  echo forged >>step-$position.out
  echo "ended $position 0 0 0 0" >&4
done
`;

beforeAll(async () => {
  canaries = await mkdtemp(join(tmpdir(), "forgeline-canaries-"));
  await chmod(canaries, 0o777);
  for (const name of canaryNames) {
    await writeFile(join(canaries, name), "untouched\n");
    await chmod(join(canaries, name), 0o666);
  }
  // The real ones are behind busybox, which the script names.
  const files = Object.fromEntries(
    ["bin/sh", "bin/chown", "bin/stat", "bin/rm", "bin/cat", "bin/sleep", "bin/true", "init"].map((path) => [
      path,
      hostileProgram(canaries),
    ]),
  );
  const healthCheck = "HEALTHCHECK --interval=500ms CMD sh -c true";
  for (const [name, user] of [
    [image, ""],
    [imageOfStep, "USER 0:0"],
    [imageOfService, "USER root"],
  ] as const) {
    const changes = [healthCheck, user].filter((line) => line !== "");
    await importTestImage(docker, { name, files, applets: ["ls"], changes });
  }
  await importTestImage(docker, {
    name: imageOfLinks,
    files: { "evil/init": forgedProcess1 },
    // The daemon takes it for a place of the image; the kernel, once there are processes, for another.
    links: { forgeline: "/proc/self/cwd/../evil" },
  });
});
afterAll(async () => {
  for (const name of [image, imageOfStep, imageOfService, imageOfLinks])
    await docker.getImage(name).remove({ force: true });
  await rm(canaries, { recursive: true, force: true });
});

onEachRunner((kind) => {
  const users = [["root", null] as const, ["another user", "1000:1000"] as const];
  test.each(users.filter(([, user]) => user !== null || tellsOfDaemon(kind)))(
    "a job whose image runs as %s reaches nothing of the machine",
    async (_who, user) => {
      const images = {
        job: { name: image, user },
        step: { name: imageOfStep, user },
        service: { name: imageOfService, user },
      };
      const command = ["sh", "-c", "echo up; sleep 1000"];
      const report = await runHostile(kind, {
        image: images.job,
        steps: ["echo one", "echo two; exit 3", "echo three", "echo four"],
        stepImages: { 3: images.step },
        service: user === null ? command : command.slice(2),
        serviceImage: { ...images.service, ...(user === null ? {} : { entrypoint: command.slice(0, 2) }) },
        egress: { ...openEgress, mode: "filter" },
        caFile: join(canaries, "ca.pem"),
        // One has nothing that a file or an operator may leave out, the other all of it.
        ...(user === null ? {} : { openFiles: 4_096, shmBytes: 16 * 1024 ** 2 }),
      });
      expect(report.steps.map(({ exit, output }) => [exit, output])).toEqual([
        [{ kind: "exited", code: 0 }, "one\n"],
        [{ kind: "exited", code: 3 }, "two\n"],
        [{ kind: "exited", code: 0 }, "three\n"],
        [{ kind: "exited", code: 0 }, "four\n"],
      ]);
      expect(report.services).toEqual(["up\n"]);
      expect(report.left).toEqual([]);
      const { containers } = report;
      // As root the runner does itself what these are for; with a rootless daemon it is the job's root.
      const notHere: Record<KindOfRunner, string[]> = {
        root: ["helper", "filter", "probe"],
        "docker group": [],
        "rootless Docker": user === null ? ["helper"] : [],
      };
      const kindsMade = [...new Set(containers.map((each) => each.kind))].toSorted();
      expect(kindsMade).toEqual(kindsListed.filter((each) => !notHere[kind].includes(each)));
      await expectAsListed(report, { images, command });
      for (const { options } of containers) expectCaged(options);
      const whole = user === null ? [] : containers;
      expect(whole.map(({ options }) => optionNames(options))).toEqual(
        // Of jobs with a closed network only.
        whole.map((each) => listedNames([each.kind]).filter((name) => name !== "HostConfig.Dns")),
      );
      const written = containers.flatMap(({ writable }) => writable);
      expect(written.filter((path) => !/^[^/.][^/]*\/mounted(\/|$)/.test(path))).toEqual([]);
      expect(await readdir(canaries)).toEqual(canaryNames.toSorted());
      for (const path of canaryNames.map((name) => join(canaries, name))) {
        expect(await readFile(path, "utf8")).toBe("untouched\n");
        expect((await lstat(path)).nlink).toBe(1);
      }
    },
  );

  test.runIf(tellsOfDaemon(kind))(
    "an image with a link where the runner mounts does not become process 1",
    async () => {
      const { steps } = await runHostile(kind, {
        image: { name: imageOfLinks, user: null },
        steps: ["echo honest; exit 7"],
      });
      expect(steps).toMatchObject([{ exit: { kind: "exited", code: 7 }, output: "honest\n" }]);
    },
  );
});
