/** What metrics are told of a reason: one of a few words, whatever a runner or a name says. */
import { expect, test } from "vitest";
import { reasonWord } from "@forgeline/server/domains/pipelines/runs/reasons.ts";

test.each([
  ["exit:3", "exit"],
  ["secret_missing:DEPLOY:KEY", "secret_missing"],
  ["timeout", "timeout"],
  ["said by a runner", "other"],
  ["constructor", "other"],
  ["", "other"],
  [null, "other"],
])("%j: %s", (reason, word) => {
  expect(reasonWord(reason)).toBe(word);
});
