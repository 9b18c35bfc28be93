/** Places where a job writes and where the daemon counts nothing, or less than was taken. Our count has all of them. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { docker, onEachRunner, runHostile } from "./support/hostile-bed.ts";
import { importTestImage } from "../support/test-image.ts";

const image = "forgeline-test/hidden-disk:1";
const mib = 1024 * 1024;

beforeAll(() =>
  importTestImage(docker, {
    name: image,
    programs: [{ path: "/usr/bin/fallocate", as: ["fallocate"] }],
    changes: ["VOLUME /data"],
  }),
);
afterAll(() => docker.getImage(image).remove({ force: true }));

/** No sum of some of these is as large as all of them. */
const takes = [
  "dd if=/dev/zero of=/etc/hosts bs=1M count=4",
  "dd if=/dev/zero of=/etc/resolv.conf bs=1M count=4",
  "dd if=/dev/zero of=/data/x bs=1M count=8",
  "touch /tmp/empty; /bin/fallocate --keep-size --length 8M /tmp/empty",
  // The daemon's own walk fails at names so long, and then all of the layer is -1 bytes.
  "name=$(printf 'n%.0s' $(seq 200)); cd /tmp; mkdir deep; dd if=/dev/zero of=deep/x bs=1M count=8; for i in $(seq 25); do mkdir up; mv deep up/$name; mv up deep; done",
  "mkdir /many; cd /many; seq 3000 | xargs touch",
  "mkdir /dirs; cd /dirs; seq 1000 | xargs mkdir",
];
const minBytes = (4 + 4 + 8 + 8 + 8 + 4) * mib;
/** Goes on after its step: names vanish while they are counted. */
const churn =
  "(while :; do mkdir -p /tmp/churn/a/b /data/churn/a/b; touch /tmp/churn/a/b/c; rm -r /tmp/churn /data/churn; done) >/dev/null 2>&1 &";

/** Go on after their step, with a file in the workspace, one in the layer, and one in memory, which takes no disk. */
const nameless = ["/workspace/x", "/tmp/x", "/dev/shm/x"].map(
  (path) =>
    `(exec 3>${path}; rm ${path}; dd if=/dev/zero bs=1M count=8 >&3; sleep 60) >/dev/null 2>&1 & sleep 0.5`,
);

onEachRunner((kind) => {
  test("what a job puts beside its workspace is counted, also while it is deleted, and what has no name is found by root", async () => {
    const report = await runHostile(kind, {
      image: { name: image, user: null },
      steps: [...takes, ...nameless, churn],
    });
    expect(report.steps.map(({ exit, output }) => [exit, output])).toEqual(
      report.steps.map(({ output }) => [{ kind: "exited", code: 0 }, output]),
    );
    expect(report.diskBytes).toBeGreaterThanOrEqual(minBytes);
    expect(report.diskBytes).toBeLessThan(minBytes + 4 * mib);
    expect(report.files).toBeGreaterThanOrEqual(4_000);
    expect(report.files).toBeLessThan(4_200);
    const helpers = report.containers.filter(
      ({ kind: of, entrypoint }) => of === "helper" && entrypoint?.[1] === "usage",
    );
    // With rootless Docker the runner's own user is the job's root, and may count what that one has.
    expect(helpers.map(({ mounts }) => mounts)).toEqual(kind === "docker group" ? [["/job/N ro"]] : []);
    expect(report.unlinkedBytes / mib).toBeCloseTo(kind === "root" ? 16 : 0, 0);
    expect(report.left).toEqual([]);
  });
});
