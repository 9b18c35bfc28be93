import { expect, test } from "vitest";
import { StreamMask } from "@forgeline/runner/shells/stream-mask.ts";

const secret = "hunter2-hunter2";

test("masks a secret however the stream is cut", () => {
  const text = `a ${secret} b${secret}${secret}c hunter2`;
  for (let size = 1; size < text.length; size += 1) {
    const mask = new StreamMask([Buffer.from(secret)]);
    let out = "";
    for (let at = 0; at < text.length; at += size) out += mask.push(Buffer.from(text.slice(at, at + size)));
    expect(`${out}${mask.flush().toString()}`).toBe("a *** b******c hunter2");
  }
});

test("holds back only what may be the beginning of one, and gives it up when asked", () => {
  const mask = new StreamMask([Buffer.from(secret)]);
  expect(mask.push(Buffer.from("see h")).toString()).toBe("see ");
  expect(mask.isHolding).toBe(true);
  expect(mask.flush().toString()).toBe("h");
  expect(mask.isHolding).toBe(false);
});
