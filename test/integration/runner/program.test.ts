/** The runner's program as operators use it: `register`, `start`, signals. The engine runs nothing. */
import { type ChildProcess, spawn } from "node:child_process";
import { readFile, rm, stat } from "node:fs/promises";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { eventually } from "../../support/eventually.ts";
import { buildLease, buildStep } from "../../support/lease-spec.ts";
import { programFile } from "../../support/program-bundles.ts";
import { RunnerBed } from "../../support/runner-bed.ts";

const program = programFile("runner/main.ts");
/** As on a machine whose Node is older, where a process of that one starts ours. */
const onOlderNode = [
  "--import",
  "data:text/javascript,Object.defineProperty(process.versions,'node',{value:'20.19.0'})",
  new URL("../../../runner/bin.mjs", import.meta.url).pathname,
];
let bed: RunnerBed;
const children: ChildProcess[] = [];
let rest: Server | null = null;

beforeEach(async () => {
  bed = await RunnerBed.open();
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  rest?.closeAllConnections();
  rest?.close();
  rest = null;
  await bed.close();
});

function run(args: string[], env: Record<string, string> = {}, script = [program]) {
  const child = spawn(process.execPath, [...script, ...args], {
    env: { PATH: process.env["PATH"] ?? "", FORGELINE_RUNNER_DIR: bed.home, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  children.push(child);
  let output = "";
  child.stdout.on("data", (text: Buffer) => (output += text.toString()));
  child.stderr.on("data", (text: Buffer) => (output += text.toString()));
  const exit = new Promise<number | null>((resolve) => child.once("exit", (code) => resolve(code)));
  return { child, exit, output: () => output };
}

async function serveRegistration(
  status: number,
  answer: unknown,
  first?: { status: number; headers: Record<string, string> },
): Promise<{ url: string; bodies: string[] }> {
  const [key, cert] = await Promise.all(
    ["server-key.pem", "server.pem"].map((f) => readFile(join(bed.home, f))),
  );
  const bodies: string[] = [];
  const server = createServer({ key: key ?? "", cert: cert ?? "" }, (request, response) => {
    let body = "";
    request.on("data", (part: Buffer) => (body += part.toString()));
    request.on("end", () => {
      bodies.push(`${request.method} ${request.url} ${body}`);
      if (first && bodies.length === 1) response.writeHead(first.status, first.headers).end("{}");
      else response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(answer));
    });
  });
  rest = server;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `https://localhost:${(server.address() as AddressInfo).port}`, bodies };
}

describe("register", () => {
  it("trades the token for a credential that only the operator can read, and start uses it", async () => {
    await rm(join(bed.home, "runner.json"));
    const { url, bodies } = await serveRegistration(201, {
      id: "rnr_1",
      credential: "svc_runner_secret",
      connect_url: bed.server.url,
    });
    const args = [
      "register",
      "--url",
      url,
      "--name",
      "n",
      "--labels",
      "a=1, b",
      "--capacity",
      "3",
      "--ca",
      join(bed.home, "ca.pem"),
    ];
    const registered = run(args, { FORGELINE_RUNNER_TOKEN: "svc_reg_x" });
    expect({ code: await registered.exit, said: registered.output() }).toMatchObject({ code: 0 });
    expect(bodies).toEqual([
      'POST /api/v1/runners/register {"token":"svc_reg_x","name":"n","labels":["a=1","b"],"capacity":3}',
    ]);
    expect(registered.output()).not.toContain("svc_runner_secret");
    expect((await stat(join(bed.home, "runner.json"))).mode & 0o777).toBe(0o600);
    run(["start"], { FORGELINE_RUNNER_ENGINE: "fake" });
    const hello = await eventually(() => bed.server.messages("hello")[0]);
    expect(hello).toMatchObject({ labels: ["a=1", "b"], capacity: 3 });
  });

  it("waits where the server asks for little patience, and shows which field is refused and why", async () => {
    const answer = {
      error: "validation_failed",
      message: "The request failed validation.",
      errors: [{ field: "labels.0", code: "invalid", message: "A label is a word." }],
    };
    const { url, bodies } = await serveRegistration(422, answer, {
      status: 429,
      headers: { "retry-after": "1" },
    });
    const args = ["register", "--url", url, "--token", "svc_reg_y", "--ca", join(bed.home, "ca.pem")];
    const refused = run([...args, "--labels", "a b"]);
    expect(await refused.exit).toBe(1);
    expect(bodies).toHaveLength(2);
    expect(refused.output()).toContain("trying again in 1 s");
    expect(refused.output()).toContain("labels.0: A label is a word.");
    const uncounted = run([...args, "--capacity", "abc"]);
    expect(await uncounted.exit).toBe(1);
    expect(uncounted.output()).toContain("--capacity: This must be a whole number from 1 to 1000.");
    const claiming = run([...args, "--labels", "executor=process"]);
    expect(await claiming.exit).toBe(1);
    expect(claiming.output()).toContain("FORGELINE_RUNNER_EXECUTOR=process");
    expect(bodies).toHaveLength(2);
  });

  it("shows the server's words when it is refused, and what to do about a certificate of its own", async () => {
    const { url } = await serveRegistration(401, { error: "unauthorized", message: "The token was used." });
    const refused = run(["register", "--url", url, "--token", "svc_reg_y", "--ca", join(bed.home, "ca.pem")]);
    expect(await refused.exit).toBe(1);
    expect(refused.output()).toContain("The token was used.");
    expect(refused.output()).not.toContain("svc_reg_y");
    const untrusting = run(["register", "--url", url, "--token", "svc_reg_y"]);
    expect(await untrusting.exit).toBe(1);
    expect(untrusting.output()).toMatch(/certificate of localhost:\d+ is not trusted: .*--ca FILE/);
  });
});

describe("start", () => {
  it("says everything that is wrong with its settings at once", async () => {
    const wrong = run(["start"], { FORGELINE_RUNNER_CAPACITY: "none", FORGELINE_RUNNER_LOG_LEVEL: "loud" });
    expect(await wrong.exit).toBe(1);
    expect(wrong.output()).toContain("FORGELINE_RUNNER_CAPACITY");
    expect(wrong.output()).toContain("FORGELINE_RUNNER_LOG_LEVEL");
  });

  it("on INT ends its jobs with the reason infra and delivers that before it exits 0", async () => {
    const { child, exit } = run(["start"], { FORGELINE_RUNNER_ENGINE: "fake" });
    await eventually(() => bed.server.messages("hello").length > 0);
    bed.server.offer(
      buildLease({ attemptId: "att_int", steps: [buildStep(0, "fake: echo on\nfake: hang")] }),
    );
    await eventually(() => bed.server.log("att_int.step0").length > 0);
    child.kill("SIGINT");
    expect(await exit).toBe(0);
    expect(bed.server.results.get("att_int")).toMatchObject({ status: "error", reason: "infra" });
    expect(await bed.leftovers()).toEqual([]);
  });

  it("ends when the process of an older Node that started it is killed", async () => {
    const { child } = run(["start"], { FORGELINE_RUNNER_ENGINE: "fake" }, onOlderNode);
    await eventually(() => bed.server.messages("hello").length > 0, { timeoutMs: 30_000 });
    const isGone = new Promise((resolve) => child.once("close", resolve));
    child.kill("SIGKILL");
    // Its output is that of the runner too, and closes when both are gone.
    await isGone;
    await eventually(() => !bed.server.connected);
  });

  it("refuses a second job beyond its capacity", async () => {
    run(["start", "--capacity", "1"], { FORGELINE_RUNNER_ENGINE: "fake" });
    await eventually(() => bed.server.messages("hello").length > 0);
    bed.server.offer(buildLease({ attemptId: "att_1", steps: [buildStep(0, "fake: hang")] }));
    bed.server.offer(buildLease({ attemptId: "att_2", steps: [buildStep(0, "fake: hang")] }));
    const answers = await eventually(
      () => bed.server.messages("offer_answer").length === 2 && bed.server.messages("offer_answer"),
    );
    expect(answers.map((a) => [a.accept, a.reject])).toEqual([
      [true, null],
      [false, "full"],
    ]);
  });
});
