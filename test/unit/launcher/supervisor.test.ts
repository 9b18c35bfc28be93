import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { supervise } from "@forgeline/launcher/supervisor.ts";
import { eventually } from "../../support/eventually.ts";

function program(script: string, lines: string[], deaths: string[] = []) {
  return supervise({
    name: "child",
    command: process.execPath,
    args: ["-e", script],
    env: { PATH: process.env["PATH"] },
    stopTimeoutMs: 500,
    observer: { onLine: (line) => void lines.push(line), onDeath: (how) => void deaths.push(how) },
  });
}

test("starts a process again after its death, and says how it died", async () => {
  const lines: string[] = [];
  const deaths: string[] = [];
  const child = program("console.log('up'); setInterval(() => {}, 1000)", lines, deaths);
  await eventually(() => lines.length === 1);
  process.kill(child.pid() ?? 0, "SIGKILL");
  await eventually(() => lines.length === 2);
  expect(deaths).toEqual(["killed by SIGKILL"]);
  expect(child.restarts()).toBe(1);
  await child.stop();
  expect(child.pid()).toBeUndefined();
});

/** Nobody may be there to bury an orphan, but a dead one has no command line. */
function isGone(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`).length === 0;
  } catch {
    return true;
  }
}

test("kills what does not end when asked, and what that has started", async () => {
  const lines: string[] = [];
  const child = program(
    `process.on('SIGTERM', () => {}); setInterval(() => {}, 1000);
    console.log(require('node:child_process').spawn('sleep', ['1000']).pid)`,
    lines,
  );
  const own = Number(await eventually(() => lines[0]));
  const pid = child.pid() ?? 0;
  expect(isGone(own)).toBe(false);
  await child.stop();
  expect(() => process.kill(pid, 0)).toThrow("ESRCH");
  await eventually(() => isGone(own));
});

test("says why a program cannot be started", async () => {
  const deaths: string[] = [];
  const child = supervise({
    name: "x",
    command: "/nonexistent",
    args: [],
    env: {},
    stopTimeoutMs: 100,
    observer: { onLine: () => undefined, onDeath: (how) => void deaths.push(how) },
  });
  await eventually(() => deaths.length > 0);
  expect(deaths[0]).toContain("could not start");
  await child.stop();
});
