/** What is asked before a page knows its merge request is used once, for that one alone, and not after it has grown old. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createEarlyAnswer } from "../../../../web/src/features/merge-requests/early-answer.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const one = { owner: "ada", repo: "app", number: 1 };
const two = { ...one, number: 2 };

function counted() {
  let asked = 0;
  return createEarlyAnswer(async ({ number }) => `${number} asked as ${(asked += 1)}`);
}

it("takes what was begun once, and asks for anything else", async () => {
  const answer = counted();
  answer.begin(one);
  expect(await answer.take(two)).toBe("2 asked as 2");
  expect(await answer.take({ ...one })).toBe("1 asked as 1");
  expect(await answer.take(one)).toBe("1 asked as 3");
});

it("asks again for what was begun long ago", async () => {
  const answer = counted();
  answer.begin(one);
  vi.advanceTimersByTime(10_000);
  expect(await answer.take(one)).toBe("1 asked as 2");
});

it("fails for whoever takes it, and for nobody else", async () => {
  const answer = createEarlyAnswer(() => Promise.reject(new Error("gone")));
  answer.begin(two);
  answer.begin(one);
  await expect(answer.take(one)).rejects.toThrow("gone");
});
