import { requestShells } from "@forgeline/server/edges/runners/shell-requests.ts";
import type { RunnerSession } from "@forgeline/server/edges/runners/session.ts";
import { expect, test } from "vitest";

const wanted = { shellId: "shell_1", attemptId: "att_1", epoch: 1, columns: 80, rows: 24 };

/** What the runner is told, and how the shell ends, with a runner that says this of shells when it connects. */
async function requested(opensShells: boolean | undefined) {
  const sent: unknown[] = [];
  const ended: unknown[] = [];
  const session = { opensShells, link: { send: (message: unknown) => sent.push(message) } };
  await requestShells(
    {
      wanted: () => Promise.resolve([{ runnerId: "rnr_1", ...wanted }]),
      end: async (id, { reason }) => void ended.push([id, reason]),
    },
    new Map([["rnr_1", session as unknown as RunnerSession]]),
    null,
  );
  return { sent, ended };
}

test("a runner that opens shells is told", async () => {
  expect(await requested(true)).toEqual({ sent: [{ t: "open_shell", ...wanted }], ended: [] });
});

test("the shell ends, and says why, where the runner cannot open one", async () => {
  expect(await requested(undefined)).toEqual({ sent: [], ended: [["shell_1", "runner_too_old"]] });
  expect(await requested(false)).toEqual({ sent: [], ended: [["shell_1", "runner_refuses"]] });
});
