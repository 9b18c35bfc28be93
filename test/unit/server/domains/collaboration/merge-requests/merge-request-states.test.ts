import { expect, test } from "vitest";
import { mergeRequestStates as states } from "@forgeline/server/domains/collaboration/merge-requests/merge-request-states.ts";

test("what is merged stays so, and what is closed can be opened again", () => {
  const moves = states.states.flatMap((from) =>
    states.events.flatMap((event) => {
      const to = states.next(from, event);
      return to ? [`${from} ${event} ${to}`] : [];
    }),
  );
  expect(moves).toEqual([
    "open close closed",
    "open merge merged",
    "closed reopen open",
    "closed merge merged",
  ]);
});
