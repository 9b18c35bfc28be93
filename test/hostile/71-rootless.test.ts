/**
 * What is otherwise with a rootless daemon: its users have other numbers, and its network, with its name server, is not the
 * machine's. Skipped where such a daemon is not tried: what is the same with the others is proved elsewhere.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { openEgress } from "@forgeline/runner/egress/settings.ts";
import { docker, onEachRunner, runHostile } from "./support/hostile-bed.ts";
import { importTestImage } from "../support/test-image.ts";

const image = "forgeline-test/rootless:1";
/** Of the test bed's runner on the machine. */
const runnersUser = "65534:65534";
/** The name server of slirp4netns. */
const nameServer = "10.0.2.3";

beforeAll(() => importTestImage(docker, { name: image }));
afterAll(() => docker.getImage(image).remove({ force: true }));

onEachRunner((kind) => {
  const isRootless = kind === "rootless Docker";

  test.runIf(isRootless)("a job whose user has the runner's own number may write its workspace", async () => {
    const { steps, left } = await runHostile(kind, {
      image: { name: image, user: runnersUser },
      steps: ["id -u; rm cloned; mkdir -m 0 closed; ls"],
    });
    expect(steps[0]).toMatchObject({ exit: { kind: "exited", code: 0 }, output: "65534\nclosed\n" });
    expect(left).toEqual([]);
  });

  test.runIf(isRootless)("a service is waited for in its own network", async () => {
    const late = ["sh", "-c", "sleep 1; exec nc -ll -p 8080 -e echo reached"];
    const job = {
      image: { name: image, user: null },
      steps: ["nc -w 3 web 8080 </dev/null"],
      service: late,
      servicePort: 8080,
    };
    expect((await runHostile(kind, job)).steps[0]?.output).toBe("reached\n");
    await expect(runHostile(kind, { ...job, servicePort: 8081 })).rejects.toThrow("was not ready");
  });

  test.runIf(isRootless)("the filter leaves the daemon's name server open", async () => {
    const { steps } = await runHostile(kind, {
      image: { name: image, user: null },
      steps: [`for port in 53 54; do nc -w 3 ${nameServer} $port </dev/null && echo $port; done; true`],
      egress: { ...openEgress, mode: "filter" },
    });
    expect(steps[0]?.output).toMatch(/^53$/m);
    expect(steps[0]?.output).not.toMatch(/^54$/m);
  });
});
