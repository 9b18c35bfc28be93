import { expect, test } from "vitest";
import { printLogLines } from "@forgeline/cli/output/print-log-lines.ts";

test("stands the name of job and step above the lines of each", async () => {
  const line = (stream: string, job: string, step: string, text: string, attempt = 1) =>
    `${JSON.stringify({ stream_id: stream, job: "unit", job_id: job, attempt, step, text })}\n`;
  let printed = "";
  const out = { write: (text: string) => ((printed += text), true) };
  const lines = [
    line("log_1", "job_1", "setup", "preparing"),
    line("log_2", "job_1", "npm test", "ok\u001b[2J"),
    line("log_2", "job_1", "npm test", "done"),
    line("log_3", "job_2", "npm test", "ok", 2),
  ];
  async function* stream() {
    yield Buffer.from(lines.join(""));
  }
  await printLogLines(stream(), new Map([["job_1", "unit (20)"]]), out);
  expect(printed.split("\n")).toEqual([
    "unit (20) ▸ setup",
    "preparing",
    "",
    "unit (20) ▸ npm test",
    "ok␛[2J",
    "done",
    "",
    "unit ▸ npm test (attempt 2)",
    "ok",
    "",
  ]);
});
