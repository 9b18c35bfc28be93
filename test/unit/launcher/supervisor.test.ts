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

test("kills what does not end when asked", async () => {
  const lines: string[] = [];
  const child = program(
    "process.on('SIGTERM', () => {}); console.log('deaf'); setInterval(() => {}, 1000)",
    lines,
  );
  await eventually(() => lines.includes("deaf"));
  const pid = child.pid() ?? 0;
  await child.stop();
  expect(() => process.kill(pid, 0)).toThrow("ESRCH");
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
