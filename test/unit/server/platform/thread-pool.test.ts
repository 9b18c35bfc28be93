import { expect, it } from "vitest";
import { createThreadPool } from "@forgeline/server/platform/thread-pool.ts";
import type { WaitingTask } from "../../../support/waiting-thread.ts";

it("ends a task by how long its thread has worked, not by how long the machine let it wait", async () => {
  const script = new URL("../../../support/waiting-thread.ts", import.meta.url);
  const pool = createThreadPool<WaitingTask, string>({ script, threads: 1, timeoutMs: 100 });
  try {
    // The first task may take longer, since its thread loads modules.
    expect(await pool.run({ waitMs: 0, workMs: 0 })).toBe("done");
    expect(await pool.run({ waitMs: 600, workMs: 0 })).toBe("done");
    expect(await pool.run({ waitMs: 0, workMs: 20_000 })).toBeUndefined();
    expect(await pool.run({ waitMs: 0, workMs: 0 })).toBe("done");
  } finally {
    await pool.close();
  }
}, 30_000);
