import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createDurablePush } from "@forgeline/server/platform/git/transfer/durable-push.ts";
import { moveRef } from "@forgeline/server/platform/git/refs/move-ref.ts";
import type { PushHandlers } from "@forgeline/server/platform/git/transfer/push-hooks.ts";
import { moveTogether } from "@forgeline/server/platform/git/transfer/partial-pushes.ts";

const update = { ref: "refs/heads/main", before: "0".repeat(40), after: "a".repeat(40) };
const updates = [update];
const proposal = { updates, options: [], quarantine: null, certificate: null, isAtomic: false };
let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "forgeline-durable-"));
  mkdirSync(join(directory, "refs/heads"), { recursive: true });
});
afterEach(() => rmSync(directory, { recursive: true }));

function push(accept = true) {
  const stdout = new PassThrough();
  const recorded: unknown[] = [];
  const handlers: PushHandlers = {
    beforeRefsMove: async () => ({ accept, lines: [] }),
    mayMove: () => ({ accept, lines: [] }),
    afterRefsMoved: async (moved) => (recorded.push(moved), ["told"]),
  };
  const made = createDurablePush({ directory, stdout, handlers });
  let heard = "";
  let failed = false;
  made.output.on("data", (chunk: Buffer) => (heard += chunk.toString()));
  made.output.on("error", () => (failed = true));
  return { ...made, stdout, recorded, heard: () => heard, failed: () => failed };
}
const settled = () => new Promise((resolve) => setTimeout(resolve, 10));

describe("what Git says in a push", () => {
  it("passes before the verdict, and after a refusal", async () => {
    const { stdout, handlers, heard } = push(false);
    stdout.write("progress ");
    await handlers.beforeRefsMove(proposal);
    stdout.write("refused");
    await settled();
    expect(heard()).toBe("progress refused");
  });

  it("is held from the verdict until what moved is on disk, and then comes in order, with the end", async () => {
    const { stdout, handlers, heard, output, recorded } = push();
    await handlers.beforeRefsMove(proposal);
    stdout.write("ok ");
    stdout.end("main");
    await settled();
    expect(heard()).toBe("");
    expect(await handlers.afterRefsMoved(updates)).toEqual(["told"]);
    await settled();
    expect(heard()).toBe("ok main");
    expect(output.readableEnded).toBe(true);
    expect(recorded).toEqual([updates]);
  });

  it("is let go when Git ends without saying what moved", async () => {
    const { stdout, handlers, heard, ended } = push();
    await handlers.beforeRefsMove(proposal);
    stdout.end("ng main");
    await ended();
    await settled();
    expect(heard()).toBe("ng main");
  });

  it("is never said when the disk fails, and nothing is recorded", async () => {
    const { stdout, handlers, heard, recorded, failed, ended } = push();
    symlinkSync("objects", join(directory, "objects"));
    await handlers.beforeRefsMove(proposal);
    stdout.write("ok main");
    await expect(handlers.afterRefsMoved(updates)).rejects.toThrow("ELOOP");
    stdout.end();
    await ended();
    await settled();
    expect([heard(), failed(), recorded]).toEqual(["", true, []]);
  });
});

describe("a ref that we move ourselves", () => {
  const runGit = () => Promise.resolve({ exitCode: 0, stdout: Buffer.alloc(0), stderr: "" });

  it("has not moved when the disk fails, alone or with others", async () => {
    symlinkSync("objects", join(directory, "objects"));
    await expect(moveRef(runGit, directory, update)).rejects.toThrow("ELOOP");
    await expect(moveTogether(runGit, directory, updates)).rejects.toThrow("ELOOP");
  });
});
