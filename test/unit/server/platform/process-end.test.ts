import { execFile } from "node:child_process";
import { expect, test } from "vitest";

const module = new URL("../../../../server/platform/process-end.ts", import.meta.url).href;

/** A process that holds a socket open and ends by `close`; its exit code and what it logged. */
function ending(close: string): Promise<{ code: unknown; logged: string }> {
  const script = `
    import { createServer } from "node:net";
    import { endProcess } from ${JSON.stringify(module)};
    await new Promise((resolve) => createServer().listen(0, "127.0.0.1", resolve));
    const logger = { error: (facts, text) => console.log(text, JSON.stringify(facts)) };
    await endProcess(${close}, { logger, what: "it", withinMs: 300 });
  `;
  return new Promise((resolve) => {
    execFile(process.execPath, ["--input-type=module", "-e", script], (error, logged) =>
      resolve({ code: error?.code ?? 0, logged }),
    );
  });
}

test("a process ends in time, whatever it waits for, and says so", async () => {
  const [closed, stuck, failed] = await Promise.all([
    ending("async () => {}"),
    ending("() => new Promise(() => {})"),
    ending("async () => { throw new Error('no database') }"),
  ]);
  expect(closed).toEqual({ code: 0, logged: "" });
  expect(stuck.code).toBe(1);
  expect(stuck.logged).toMatch(/^it did not end in time; it is cut short .*"waiting_ms":300.*TCPServerWrap/i);
  expect(failed.code).toBe(1);
  expect(failed.logged).toBe('it could not be closed {"error":"no database"}\n');
});
