/** Services of a job: reachable by name, waited for, with a log that outlives the agent. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ensureBaseImage } from "@forgeline/launcher/base-image.ts";
import { execInContainer } from "@forgeline/runner/engine/docker/exec.ts";
import type { JobEnvironment } from "@forgeline/runner/engine/engine.ts";
import type { PlanService } from "@forgeline/schemas/pipeline-file/plan.ts";
import type { z } from "zod";
import { eventually } from "../../support/eventually.ts";
import { buildService } from "../../support/lease-spec.ts";
import { size } from "../../support/size.ts";
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

const none = { cpu: null, memoryBytes: null, shmBytes: null };
/** A job with services of these keys. */
const having = (keys: readonly string[]) => ({ services: keys.map((key) => ({ key, resources: none })) });

describe("services", () => {
  let bed: EngineBed;
  beforeAll(async () => {
    await ensureBaseImage(docker);
    bed = await engineBed();
  });
  afterAll(() => bed.close());

  it("waits until they answer by tcp, http or exec; steps reach them by their keys", async () => {
    const ready: Record<string, Ready> = {
      tcp: { tcp: 8080, ...timing },
      http: { http: ":8080/index.html", ...timing },
      exec: { exec: "wget -q -O - http://127.0.0.1:8080/ | grep hello", ...timing },
    };
    const keys = Object.keys(ready);
    await bed.inJob(having(keys), async (environment) => {
      const all = keys.map((key) => ({ ...service(serve, ready[key]), key }));
      await environment.startServices(all, () => undefined, never);
      const ask = keys.map((key) => `wget -q -O - http://${key}:8080/`).join("\n");
      expect((await runToEnd(environment, step(0, ask))).output).toBe("hello\nhello\nhello\n");
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
    const forms: Record<string, { entrypoint?: string[]; command: string[] | null; says: string }> = {
      image: { command: null, says: "image args\n" },
      file: { entrypoint: ["echo", "file"], command: null, says: "file\n" },
      both: { entrypoint: ["echo", "file"], command: ["more"], says: "file more\n" },
      empty: { entrypoint: [], command: ["echo", "alone"], says: "alone\n" },
    };
    try {
      await bed.inJob(having(Object.keys(forms)), async (environment) => {
        const all = Object.entries(forms).map(([key, { command, entrypoint }]) => {
          const image = { name, user: null, ...(entrypoint && { entrypoint }) };
          return { ...buildService("web", ""), key, image, command };
        });
        await environment.startServices(all, () => undefined, never);
        const says = Object.fromEntries(Object.entries(forms).map(([key, form]) => [key, form.says]));
        const said = async () => {
          const texts = environment.services().map(async (one) => [one.key, await textOf(one.outputFile)]);
          return Object.fromEntries(await Promise.all(texts)) as Record<string, string>;
        };
        await eventually(async () => {
          expect(await said()).toEqual(says);
          return true;
        });
      });
    } finally {
      await docker.getImage(name).remove({ force: true });
    }
  });

  it("does not wait where the file says so", async () => {
    await bed.inJob({}, (environment) => start(environment, service("sleep 1000", false)));
  });

  it("says service_not_ready when it is too slow, answers 404, never ends its answer, or ends early", async () => {
    const cases: Record<string, [script: string, ready: Service["ready"], message: string]> = {
      slow: ["sleep 1000", { tcp: 8080, timeoutMs: 300, intervalMs: 50 }, "not ready within 0.3 s"],
      absent: [serve, { http: ":8080/absent", timeoutMs: 1000, intervalMs: 50 }, "not ready within 1 s"],
      drip: [drip, { http: ":8080/", timeoutMs: 1500, intervalMs: 50 }, "not ready within 1.5 s"],
      early: ["exit 4", { tcp: 8080, ...timing }, "exit code 4"],
    };
    await bed.inJob(having(Object.keys(cases)), async (environment) => {
      for (const [key, [script, ready, message]] of Object.entries(cases)) {
        const expected = { code: "service_not_ready", message: expect.stringContaining(message) };
        const one = { ...service(script, ready), key };
        await expect(start(environment, one), key).rejects.toMatchObject(expected);
      }
    });
  });

  it(
    "asks no longer than it may inside a container, whenever it is given up",
    { timeout: 30_000 },
    async () => {
      await bed.inJob({}, async (environment) => {
        const container = docker.getContainer(environment.handle.containerId);
        // The daemon takes some of this time to make the command, and some to start it.
        for (let afterMs = 0; afterMs < 60; afterMs += size(6, 2)) {
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
