import type { Logger } from "pino";
import { afterEach, expect, test, vi } from "vitest";
import { closeEngine } from "@forgeline/runner/engine/close-engine.ts";
import type { Engine } from "@forgeline/runner/engine/engine.ts";

afterEach(() => vi.useRealTimers());

async function closed(close: () => Promise<void>): Promise<unknown[]> {
  const error = vi.fn<(facts: { err: unknown }) => void>();
  const ending = closeEngine({
    engine: { close } as Engine,
    sharedWorkspaces: { releaseAll: async () => {} },
    logger: { error } as unknown as Logger,
  });
  await vi.advanceTimersByTimeAsync(60_000);
  await ending;
  return error.mock.calls.map(([{ err }]) => err);
}

test("an engine is waited for, but not for ever", async () => {
  vi.useFakeTimers();
  expect(await closed(() => Promise.resolve())).toEqual([]);
  expect(await closed(() => new Promise(() => undefined))).toEqual(["late"]);
  const broken = new Error("the daemon is away");
  expect(await closed(() => Promise.reject(broken))).toEqual([broken]);
});
