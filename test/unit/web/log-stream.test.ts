import { describe, expect, it } from "vitest";
import { seeded } from "../../support/log-frames.ts";
import { createLogSearch } from "../../../web/src/features/runs/log/log-search.ts";
import { createLogStore } from "../../../web/src/features/runs/log/log-store.ts";
import { createLogStream } from "../../../web/src/features/runs/log/log-stream.ts";
import { layOut, rowsOf } from "../../../web/src/features/runs/log/layout.ts";
import type { WatchedStream } from "@forgeline/client/watch-session.ts";
import { size } from "../../support/size.ts";

const stream: WatchedStream = {
  id: "log_1",
  kind: "step",
  stage: "main",
  job: "build",
  jobLabel: "build",
  jobId: "job_1",
  attempt: 1,
  step: 0,
  name: "compile",
};
const bytes = (text: string) => new TextEncoder().encode(text);
const none = { timeRuns: [] };

function streamOf(text: string) {
  const log = createLogStream(stream);
  log.append(bytes(text), none);
  return log;
}

describe("a stream of a log", () => {
  it("has the same lines, however it was cut into pieces", () => {
    const random = seeded(3);
    const words = ["é", "\n", "\n", "abc", "\u001b[31m", "\r\n", "😀", "::group::x\n", "::endgroup::\n", " "];
    for (let round = 0; round < size(80, 300); round += 1) {
      let text = "";
      for (let length = Math.floor(random() * 60); length > 0; length -= 1)
        text += words[Math.floor(random() * words.length)];
      const all = bytes(text);
      const log = createLogStream(stream);
      for (let at = 0; at < all.length;) {
        const to = Math.min(all.length, at + 1 + Math.floor(random() * 9));
        log.append(all.subarray(at, to), none);
        at = to;
      }
      const expected = text === "" ? [] : text.replace(/\n$/, "").split("\n");
      expect(log.lineCount()).toBe(expected.length);
      expect(expected.map((_, line) => log.text(line))).toEqual(expected);
      expect(log.block(0, expected.length)).toBe(expected.join("\n"));
      const atOnce = streamOf(text);
      expect(log.groups()).toEqual(atOnce.groups());
      expect(expected.map((_, line) => log.styleBefore(line))).toEqual(
        expected.map((_, line) => atOnce.styleBefore(line)),
      );
    }
  });

  it("knows when each line was seen, also when a part of a frame was there before", () => {
    const log = createLogStream(stream);
    log.append(bytes("one\ntwo\nthr"), {
      timeRuns: [
        { lines: 2, timeMs: 5 },
        { lines: 1, timeMs: 6 },
      ],
    });
    log.append(bytes("ee\nfour\nfive"), {
      timeRuns: [
        { lines: 2, timeMs: 6 },
        { lines: 1, timeMs: 8 },
        { lines: 1, timeMs: 9 },
      ],
    });
    expect([0, 1, 2, 3, 4, 5].map((line) => log.timeOf(line))).toEqual([5, 5, 6, 8, 9, null]);
  });

  it("hands colours on from line to line until they are put out", () => {
    const log = streamOf("a\u001b[31m\nb\nc\u001b[0m\nd\n\u001b[1mx\u001b[0m\ny\n");
    expect([0, 1, 2, 3, 4, 5].map((line) => log.styleBefore(line).colour)).toEqual([
      null,
      1,
      1,
      null,
      null,
      null,
    ]);
  });

  it("finds groups", () => {
    const log = streamOf("x\n::group::First <b>\na\n::endgroup::\n##[group]Second\nb\n::group::Third\nc\n");
    expect(log.groups()).toEqual([
      { title: "First <b>", start: 1, end: 3 },
      { title: "Second", start: 4, end: 5 },
      { title: "Third", start: 6, end: null },
    ]);
  });

  it("takes a million lines", () => {
    const log = createLogStream(stream);
    const part = bytes(
      Array.from({ length: 1000 }, (_, line) => `\u001b[32mline\u001b[0m ${line}\n`).join(""),
    );
    for (let round = 0; round < 1000; round += 1)
      log.append(part, { timeRuns: [{ lines: 1000, timeMs: round + 1 }] });
    expect(log.lineCount()).toBe(1_000_000);
    expect(log.text(999_999)).toContain("999");
    expect(log.timeOf(999_999)).toBe(1000);
  });
});

describe("rows of a log", () => {
  it("skip what is folded", () => {
    const groups = [
      { title: "a", start: 1, end: 3 },
      { title: "b", start: 5, end: null },
    ];
    const folded = rowsOf(8, groups, ({ end }) => end === null);
    expect(folded.count).toBe(6);
    expect([0, 1, 2, 3, 4, 5].map(folded.lineAt)).toEqual([0, 1, 4, 5, 6, 7]);
    expect([0, 1, 2, 3, 4, 5, 6, 7].map(folded.rowOf)).toEqual([0, 1, 1, 1, 2, 3, 4, 5]);
    const all = rowsOf(8, groups, () => false);
    expect(all.count).toBe(4);
    expect([0, 1, 2, 3].map(all.lineAt)).toEqual([0, 1, 4, 5]);
    expect(all.rowOf(7)).toBe(3);
  });

  it("stand below each other, section by section", () => {
    const folds = { sections: new Map([["0", true]]), groups: new Map<string, boolean>() };
    const { sections, height } = layOut([streamOf("a\nb\n"), streamOf("c\n")], folds, () => false);
    expect(sections.map(({ top }) => top)).toEqual([0, 76]);
    expect(height).toBe(132);
  });
});

describe("the store of a log", () => {
  it("tells of many changes once for each frame, and keeps set-up, steps and services in order", () => {
    const waiting: (() => void)[] = [];
    const store = createLogStore((callback) => void waiting.push(callback));
    let told = 0;
    store.subscribe(() => (told += 1));
    for (const [id, kind, step] of [
      ["c", "service", null],
      ["b", "step", 1],
      ["a", "step", 0],
      ["s", "setup", null],
    ] as const)
      store.handlers.onStream({ ...stream, id, kind, step, name: id });
    for (let round = 0; round < 100; round += 1)
      store.handlers.onBytes({ ...stream, id: "a" }, bytes("x\n"), { offset: round * 2, timeRuns: [] });
    expect(told).toBe(0);
    expect(waiting).toHaveLength(1);
    waiting.pop()?.();
    expect(told).toBe(1);
    expect(store.streams().map((log) => log.stream.id)).toEqual(["s", "a", "b", "c"]);
    expect(store.have().get("a")).toBe(200);
  });

  it("is searched without colours and case, a stretch at a time, and on as it grows", () => {
    const store = createLogStore((callback) => callback());
    store.handlers.onStream({ ...stream, id: "a", step: 0 });
    store.handlers.onStream({ ...stream, id: "b", step: 1 });
    const a = { ...stream, id: "a", step: 0 };
    const b = { ...stream, id: "b", step: 1 };
    const place = { offset: 0, timeRuns: [] };
    store.handlers.onBytes(a, bytes(`${"x\n".repeat(2500)}Err\u001b[31mOR\u001b[0m here\nerr`), place);
    store.handlers.onBytes(b, bytes("none\nerror\n"), place);
    const search = createLogSearch(store, "eRRor");
    expect(search.advance(() => true)).toBe(false);
    while (!search.advance(() => true));
    expect(search.count()).toBe(1);
    expect(search.at(0)).toEqual({ stream: "0", line: 2500 });
    store.handlers.onBytes(a, bytes("or\n"), place);
    store.handlers.onStreamEnd(a, { bytes: 0, lines: 0, complete: true });
    store.handlers.onStreamEnd(b, { bytes: 0, lines: 0, complete: true });
    expect(search.advance(() => false)).toBe(true);
    expect([0, 1, 2, 3].map(search.at)).toEqual([
      { stream: "0", line: 2500 },
      { stream: "0", line: 2501 },
      { stream: "1", line: 1 },
      undefined,
    ]);
    expect(search.indexFrom({ stream: "1", line: 0 })).toBe(2);
    expect(search.indexFrom({ stream: "0", line: 2501 })).toBe(1);
  });
});
