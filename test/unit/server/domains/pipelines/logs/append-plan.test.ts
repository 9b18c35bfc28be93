import { describe, expect, it } from "vitest";
import { planAppend, type PendingFrame } from "@forgeline/server/domains/pipelines/logs/append-plan.ts";
import { frameOf } from "../../../../../support/log-frames.ts";

const text = Buffer.from("0123456789\nabcdefghi\n");

function pending(streamId: string, start: number, end: number): PendingFrame {
  const nothing = () => undefined;
  const frame = frameOf(text, start, end);
  return { streamId, frame, raw: text.subarray(start, end), resolve: nothing, reject: nothing };
}

function plan(frames: PendingFrame[], ends: Record<string, number>) {
  const { accepted, answers } = planAppend(frames, new Map(Object.entries(ends)));
  return {
    accepted: accepted.map((a) => [a.streamId, a.frame.offset, a.raw.toString()]),
    answers: answers.map((a) => a.answer),
  };
}

describe("planAppend", () => {
  it("takes what adjoins, in order, each stream for itself", () => {
    const frames = [pending("a", 0, 4), pending("b", 5, 8), pending("a", 4, 6)];
    expect(plan(frames, { a: 0, b: 5 })).toEqual({
      accepted: [
        ["a", 0, "0123"],
        ["b", 5, "567"],
        ["a", 4, "45"],
      ],
      answers: [{ nextOffset: 4 }, { nextOffset: 8 }, { nextOffset: 6 }],
    });
  });
  it("drops duplicates and says how far it is", () => {
    expect(plan([pending("a", 0, 4), pending("a", 2, 6)], { a: 6 })).toEqual({
      accepted: [],
      answers: [{ nextOffset: 6 }, { nextOffset: 6 }],
    });
  });
  it("takes the new part of an overlapping frame", () => {
    expect(plan([pending("a", 2, 8)], { a: 5 })).toEqual({
      accepted: [["a", 5, "567"]],
      answers: [{ nextOffset: 8 }],
    });
  });
  it("asks for what lies before a gap, also later in the batch", () => {
    expect(
      plan([pending("a", 0, 3), pending("a", 5, 7), pending("a", 3, 5), pending("a", 5, 7)], { a: 0 }),
    ).toEqual({
      accepted: [
        ["a", 0, "012"],
        ["a", 3, "34"],
        ["a", 5, "56"],
      ],
      answers: [{ nextOffset: 3 }, { expected: 3 }, { nextOffset: 5 }, { nextOffset: 7 }],
    });
  });
});
