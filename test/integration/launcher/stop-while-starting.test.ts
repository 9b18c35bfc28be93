/** Ctrl-C, TERM and a second Ctrl-C before everything is ready; settings that cannot work. */
import { createServer } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { freeLowPort } from "@forgeline/launcher/free-port.ts";
import { eventually } from "../../support/eventually.ts";
import { launchHome, type LaunchHome } from "../../support/launched.ts";
import { isFull, telling } from "../../support/size.ts";

let home: LaunchHome;

beforeEach(async () => {
  home = await launchHome();
});
afterEach(async () => {
  await home.remove();
});

describe("a start that is under way", () => {
  const moments = telling<[NodeJS.Signals, RegExp]>(
    [["SIGINT", /^temporal +starting$/m]],
    [
      ["SIGINT", /^postgresql +starting$/m],
      ["SIGTERM", /^temporal +starting$/m],
    ],
  );
  it.each(moments)("stops at %s and leaves nothing running", async (signal, when) => {
    const running = home.start("--no-demo");
    await eventually(() => when.test(running.output()), { timeoutMs: 40_000 });
    running.signal(signal);
    const { code, output } = await running.finished;
    expect(output).toContain("stopped; all data is kept for the next start");
    expect(output).not.toContain("failed");
    expect(code).toBe(0);
    expect(await home.processes()).toEqual([]);
  });

  it("kills its children at the second Ctrl-C", async () => {
    const running = home.start("--no-demo");
    await eventually(() => /^temporal +ready/m.test(running.output()), { timeoutMs: 40_000 });
    const frozen = (await home.processes()).find((line) => line.includes("/postgres -D")) ?? "";
    // The first one is answered in order; a frozen PostgreSQL keeps it from coming to an end.
    running.signal("SIGINT");
    process.kill(Number.parseInt(frozen, 10), "SIGSTOP");
    const hasEnded = () =>
      Promise.race([running.finished.then(() => true), new Promise<false>((r) => setTimeout(r, 200, false))]);
    // Asked before each further one: the signal to a group that is gone fails.
    await eventually(async () => {
      if (await hasEnded()) return true;
      running.signal("SIGINT");
      return false;
    });
    process.kill(Number.parseInt(frozen, 10), "SIGCONT");
    expect((await running.finished).code).toBe(1);
    await eventually(async () => (await home.processes()).length === 0, { timeoutMs: 40_000 });
  });

  it.runIf(isFull)("goes on when the reader of its output goes away, and still ends in order", async () => {
    const running = home.start("--no-demo");
    await eventually(() => /^docker +ready/m.test(running.output()), { timeoutMs: 40_000 });
    running.closeOutput();
    const { pids } = await eventually(() => home.connection(), { timeoutMs: 40_000 });
    expect(pids["launcher"]).toBeGreaterThan(0);
    running.signal("SIGINT");
    await running.finished;
    expect(await home.processes()).toEqual([]);
  });
});

describe("a port that is taken", () => {
  it("is named with its setting", async () => {
    const port = await freeLowPort();
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
    home.env["FORGELINE_HTTPS_PORT"] = String(port);
    const { code, output } = await home.start("--no-demo").finished;
    server.close();
    expect(output).toContain(`port ${port} is taken by another program; set FORGELINE_HTTPS_PORT`);
    expect(code).toBe(1);
  });
});

it("refuses a public address without TLS", async () => {
  home.env["FORGELINE_PUBLIC_URL"] = "http://forge.example";
  const { code, output } = await home.start("--no-demo").finished;
  expect(output).toContain("FORGELINE_PUBLIC_URL: must be https://HOST");
  expect(code).toBe(1);
});
