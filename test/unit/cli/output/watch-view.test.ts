import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import type { WatchedStatus, WatchedStream } from "@forgeline/client/watch-session.ts";
import { createWatchView } from "@forgeline/cli/output/watch-view.ts";

function watched(jobLabel = "main") {
  const out = new PassThrough();
  const view = createWatchView({ logs: true, jobs: ["main"], out: out as unknown as NodeJS.WriteStream });
  const stream = (name: string, kind: WatchedStream["kind"] = "step"): WatchedStream => ({
    id: `log_${name}`,
    kind,
    stage: "main",
    job: "main",
    jobLabel,
    jobId: "job_1",
    attempt: 1,
    step: null,
    name,
  });
  const open = new Set<string>();
  const opened = (name: string, kind?: WatchedStream["kind"]) => {
    if (!open.has(name)) view.onStream?.(stream(name, kind));
    open.add(name);
  };
  const told = (node: "stage" | "job" | "step", name: string, status: string) =>
    view.onStatus?.({
      node,
      id: `${node}_${name}`,
      name,
      job: node === "stage" ? null : "main",
      job_label: node === "stage" ? null : "main",
      attempt: node === "stage" ? null : 1,
      status,
      reason: null,
      message: null,
      time: "2026-11-21T10:00:00Z",
    } satisfies WatchedStatus);
  return {
    told,
    running: (name: string) => told("step", name, "running"),
    ended: (name: string) => view.onStreamEnd?.(stream(name), { bytes: 1, lines: 1, complete: true }),
    close: () => view.close(),
    opened,
    line(name: string, text: string, kind?: WatchedStream["kind"]) {
      opened(name, kind);
      view.onBytes?.(stream(name, kind), Buffer.from(`${text}\n`), { offset: 0, timeRuns: [] });
    },
    printed: () =>
      String(out.read() ?? "")
        .trimEnd()
        .split("\n"),
  };
}

test("who joins a run sees each line under its own step, though told first what runs now", () => {
  const run = watched();
  run.opened("setup", "setup");
  run.opened("build");
  run.opened("test");
  run.running("test");
  run.line("setup", "preparing", "setup");
  run.line("build", "building");
  run.line("test", "ok 1");
  run.line("test", "ok 2");
  expect(run.printed()).toEqual([
    "main │ preparing",
    "main ▸ build",
    "main │ building",
    "main ▸ test",
    "main │ ok 1",
    "main │ ok 2",
  ]);
});

test("a silent step is named as soon as it runs, and late lines of the one before stand under its name", () => {
  const run = watched();
  run.line("setup", "preparing", "setup");
  run.running("build");
  run.line("build", "building");
  run.running("wait");
  run.line("build", "the last of it");
  run.line("wait", "done");
  expect(run.printed()).toEqual([
    "main │ preparing",
    "main ▸ build",
    "main │ building",
    "main ▸ wait",
    "main ▸ build",
    "main │ the last of it",
    "main ▸ wait",
    "main │ done",
  ]);
});

test("a step that is told to run after its lines have come is not named again", () => {
  const run = watched();
  run.line("look", "hello");
  run.line("build", "building");
  run.running("look");
  run.running("build");
  run.line("build", "built");
  expect(run.printed()).toEqual([
    "main ▸ look",
    "main │ hello",
    "main ▸ build",
    "main │ building",
    "main │ built",
  ]);
});

test("a service is named once, whatever steps write beside it", () => {
  const run = watched();
  run.line("database", "starting", "service");
  run.line("test", "ok 1");
  run.line("database", "ready", "service");
  run.line("test", "ok 2");
  expect(run.printed()).toEqual([
    "main ▸ service database",
    "main │ starting",
    "main ▸ test",
    "main │ ok 1",
    "main │ ready",
    "main │ ok 2",
  ]);
});

test("values of a matrix in a label move no cursor", () => {
  const run = watched("unit (\u001b[2Jx)");
  run.line("look", "hello");
  expect(run.printed().join()).not.toContain("\u001b[2J");
});

test("who joins late reads how a job ended below its lines, and how its stage ended after that", () => {
  const run = watched();
  run.told("stage", "all", "failed");
  run.told("job", "main", "failed");
  run.told("step", "build", "failed");
  run.opened("build");
  run.opened("last");
  run.line("build", "building");
  run.ended("build");
  run.line("last", "cleaning");
  run.ended("last");
  run.told("job", "main", "skipped");
  expect(run.printed()).toEqual([
    "main ▸ build",
    "main │ building",
    "main ✗ build failed",
    "main ▸ last",
    "main │ cleaning",
    "main ✗ failed",
    "     ✗ stage all failed",
    "main – skipped",
  ]);
  const quiet = watched();
  quiet.told("job", "main", "error");
  quiet.close();
  expect(quiet.printed()).toEqual(["main ! error"]);
});
