import { expect, it } from "vitest";
import { createCompilePool } from "@forgeline/server/domains/pipelines/compile/compile-pool.ts";

it("uses a thread again and again", async () => {
  const pool = createCompilePool({ threads: 1, timeoutMs: 20_000 });
  try {
    for (let n = 0; n < 3; n++) {
      const text = `image: busybox\nsteps:\n  - echo ${n}\n`;
      expect((await pool.compile({ file: ".forgeline.yml", text }))?.plan?.jobs[0]?.steps[0]?.run).toBe(
        `echo ${n}`,
      );
    }
  } finally {
    await pool.close();
  }
}, 15_000);
