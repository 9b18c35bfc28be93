import { describe, expect, it } from "vitest";
import { Outbox } from "@forgeline/runner/connection/outbox.ts";

const started = (attemptId: string) => ({ t: "started" as const, attemptId, epoch: 1, timeMs: 1 });

describe("the outbox", () => {
  it("keeps messages in order until they are answered, and answers each once", () => {
    const outbox = new Outbox();
    const answers: string[] = [];
    const a = outbox.add(started("a"), false, (answer) =>
      answers.push(`a ${answer === "disconnected" ? answer : answer.t}`),
    );
    outbox.add(started("b"), false, () => answers.push("b"));
    expect(outbox.pending().map((m) => m.id)).toEqual([1, 2]);
    outbox.answered({ t: "ack", id: a.id });
    outbox.answered({ t: "ack", id: a.id });
    expect(answers).toEqual(["a ack"]);
    expect(outbox.pending().map((m) => m.id)).toEqual([2]);
  });

  it("gives up with the connection only what belongs to it, and with a lease all of it", () => {
    const outbox = new Outbox();
    const lost: string[] = [];
    outbox.add(started("once"), true, () => lost.push("once"));
    outbox.add(started("kept"), false, () => lost.push("kept"));
    outbox.disconnected();
    expect(lost).toEqual(["once"]);
    outbox.dropLease("kept", 2);
    expect(outbox.pending()).toHaveLength(1);
    outbox.dropLease("kept", 1);
    expect(outbox.pending()).toHaveLength(0);
  });
});
