/** Services of a job: reachable by name, waited for, with a log that outlives the agent. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ensureBaseImage } from "@forgeline/launcher/base-image.ts";
import { execInContainer } from "@forgeline/runner/engine/docker/exec.ts";
import type { JobEnvironment } from "@forgeline/runner/engine/engine.ts";
import type { PlanService } from "@forgeline/schemas/pipeline-file/plan.ts";
import type { z } from "zod";
import { eventually } from "../../support/eventually.ts";
import { buildService } from "../../support/lease-spec.ts";
import { importTestImage } from "../../support/test-image.ts";
import { docker, engineBed, leftOver, never, runToEnd, step, textOf, type EngineBed } from "./docker-job.ts";

type Service = z.infer<typeof PlanService>;
type Ready = Exclude<Service["ready"], null | false>;

function service(script: string, ready: Service["ready"] = null): Service {
  return { ...buildService("web", script), env: { GREETING: "hello" }, ready };
}

const timing = { timeoutMs: 20_000, intervalMs: 50 };
const serve =
  'sleep 0.3; mkdir -p /www; echo "$GREETING" >/www/index.html; echo serving; exec httpd -f -p 8080 -h /www';
/** Never comes to its answer, and is never silent for long. */
const drip = `exec nc -ll -p 8080 -e sh -c 'while printf "HTTP/1.1 102 Processing\\r\\n\\r\\n"; do sleep 0.2; done'`;
const start = (environment: JobEnvironment, one: Service): Promise<void> =>
  environment.startServices([one], () => undefined, never);

describe("services", () => {
  let bed: EngineBed;
  beforeAll(async () => {
    await ensureBaseImage(docker);
    bed = await engineBed();
  });
  afterAll(() => bed.close());

  it.each<[string, Ready]>([
    ["tcp", { tcp: 8080, ...timing }],
    ["http", { http: ":8080/index.html", ...timing }],
    ["exec", { exec: "wget -q -O - http://127.0.0.1:8080/ | grep hello", ...timing }],
  ])("waits until %s answers; steps reach it by its key", async (_kind, ready) => {
    await bed.inJob({}, async (environment) => {
      await start(environment, service(serve, ready));
      const { output } = await runToEnd(environment, step(0, "wget -q -O - http://web:8080/"));
      expect(output).toBe("hello\n");
    });
    expect(await leftOver(bed.runnerId)).toEqual([]);
  });

  it("has written all that they said once it has ended them", async () => {
    const count = 100_000;
    const script = `seq 1 ${String(count)}; exec nc -ll -p 8080 -e true`;
    await bed.inJob({}, async (environment) => {
      await start(environment, service(script, { tcp: 8080, ...timing }));
      await environment.endServices();
      const [web] = environment.services();
      const lines = (await textOf(web?.outputFile ?? "")).split("\n");
      expect([lines.length, lines.at(-2)]).toEqual([count + 1, String(count)]);
      await environment.endServices();
    });
  });

  it("checks the health of an image no more than once a second", async () => {
    const name = "forgeline-test/hasty:1";
    await importTestImage(docker, { name, changes: ["HEALTHCHECK --interval=5ms CMD true"] });
    try {
      await bed.inJob({}, async (environment) => {
        const built = buildService("web", "sleep 1000");
        await start(environment, { ...built, image: { ...built.image, name }, ready: null });
        const filters = { label: [`forgeline.runner=${bed.runnerId}`, "forgeline.kind=service"] };
        const [web] = await docker.listContainers({ filters });
        const { Config } = await docker.getContainer(web?.Id ?? "").inspect();
        expect(Config.Healthcheck).toMatchObject({ Test: ["CMD-SHELL", "true"], Interval: 1e9 });
      });
    } finally {
      await docker.getImage(name).remove({ force: true });
    }
  });

  it("starts the file's entrypoint instead of the image's, and the command by itself where it is empty", async () => {
    const name = "forgeline-test/entry:1";
    await importTestImage(docker, { name, changes: ['ENTRYPOINT ["echo", "image"]', 'CMD ["args"]'] });
    const said = async (changes: { entrypoint?: string[]; command: string[] | null }): Promise<string> => {
      const { command, ...more } = changes;
      let text = "";
      await bed.inJob({}, async (environment) => {
        const image = { name, user: null, ...more };
        await start(environment, { ...buildService("web", ""), image, command });
        await eventually(async () => {
          text = await textOf(environment.services()[0]?.outputFile ?? "");
          return text.endsWith("\n");
        });
      });
      return text;
    };
    try {
      expect(await said({ command: null })).toBe("image args\n");
      expect(await said({ entrypoint: ["echo", "file"], command: null })).toBe("file\n");
      expect(await said({ entrypoint: ["echo", "file"], command: ["more"] })).toBe("file more\n");
      expect(await said({ entrypoint: [], command: ["echo", "alone"] })).toBe("alone\n");
    } finally {
      await docker.getImage(name).remove({ force: true });
    }
  });

  it("does not wait where the file says so", async () => {
    await bed.inJob({}, (environment) => start(environment, service("sleep 1000", false)));
  });

  it.each<[string, string, Service["ready"], string]>([
    ["is too slow", "sleep 1000", { tcp: 8080, timeoutMs: 300, intervalMs: 50 }, "not ready within 0.3 s"],
    ["answers 404", serve, { http: ":8080/absent", timeoutMs: 1000, intervalMs: 50 }, "not ready within 1 s"],
    [
      "never ends its answer",
      drip,
      { http: ":8080/", timeoutMs: 1500, intervalMs: 50 },
      "not ready within 1.5 s",
    ],
    ["ends early", "exit 4", { tcp: 8080, ...timing }, "exit code 4"],
  ])("says service_not_ready when it %s", async (_how, script, ready, message) => {
    await bed.inJob({}, async (environment) => {
      const expected = { code: "service_not_ready", message: expect.stringContaining(message) };
      await expect(start(environment, service(script, ready))).rejects.toMatchObject(expected);
    });
  });

  it(
    "asks no longer than it may inside a container, whenever it is given up",
    { timeout: 30_000 },
    async () => {
      await bed.inJob({}, async (environment) => {
        const container = docker.getContainer(environment.handle.containerId);
        // The daemon takes some of this time to make the command, and some to start it.
        for (let afterMs = 0; afterMs < 60; afterMs += 2) {
          const given = new AbortController();
          const command = ["sleep", "1000"];
          const asked = execInContainer(docker, { container, command, user: null, signal: given.signal });
          setTimeout(() => given.abort(new Error("given up")), afterMs);
          await expect(asked).rejects.toThrow("given up");
        }
      });
    },
  );

  it("says why one could not be started", async () => {
    await bed.inJob({}, async (environment) => {
      const wrong = { ...service(""), command: ["/no/such/program"] };
      const expected = {
        code: "service_not_ready",
        message: expect.stringContaining("Service web could not be started"),
      };
      await expect(start(environment, wrong)).rejects.toMatchObject(expected);
      const absent = { ...service(""), image: { name: "localhost:1/absent:1", user: null } };
      await expect(start(environment, absent)).rejects.toMatchObject({ code: "image_pull" });
    });
  });
});
