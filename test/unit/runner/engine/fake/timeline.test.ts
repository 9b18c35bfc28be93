import { describe, expect, it } from "vitest";
import { parseTimeline } from "@forgeline/runner/engine/fake/timeline.ts";

const success = { kind: "end", exit: { kind: "exited", code: 0 } };

describe("parseTimeline", () => {
  it("succeeds at once where the script says nothing to the fake", () => {
    expect(parseTimeline("npm test\necho fake: exit 3")).toEqual([success]);
  });

  it("plays directives in order, commented or not, up to the end", () => {
    const script =
      "fake: echo a b\n  # fake: lines 2\nfake: sleep 50\nfake: output k=v\nfake: exit 3\nfake: echo never";
    expect(parseTimeline(script)).toEqual([
      { kind: "write", file: "output", text: "a b\n" },
      { kind: "write", file: "output", text: "line 1\nline 2\n" },
      { kind: "sleep", ms: 50 },
      { kind: "write", file: "ci", text: "k=v\n" },
      { kind: "end", exit: { kind: "exited", code: 3 } },
    ]);
  });

  it("has the ends that only a platform gives", () => {
    expect(parseTimeline("fake: oom")).toEqual([{ kind: "end", exit: { kind: "oom" } }]);
    expect(parseTimeline("fake: lost")).toMatchObject([{ kind: "end", exit: { kind: "container_lost" } }]);
    expect(parseTimeline("fake: hang")).toEqual([{ kind: "sleep", ms: Infinity }, success]);
  });

  it.each(["fake: dance", "fake: lines many", "fake: exit", "fake: sleep -1"])("fails on %s", (script) => {
    expect(parseTimeline(script)).toMatchObject([
      { kind: "write", file: "output" },
      { kind: "end", exit: { kind: "exited", code: 2 } },
    ]);
  });
});
