/** How many workflows a second Temporal itself ends, when each has this many activities that do nothing. */
import { Client, Connection } from "@temporalio/client";
import { startProgram } from "../../test/support/program.ts";
import { nowMs } from "../statistics.ts";

export async function temporalRate(wanted: {
  address: string;
  directory: string;
  workflows: number;
  activities: number;
  /** Starts under way at once. */
  concurrency: number;
}): Promise<number> {
  const taskQueue = `bench-empty-${process.pid}`;
  const worker = startProgram({
    name: "empty-worker",
    args: ["bench/baselines/empty-worker.ts", wanted.address, taskQueue],
    env: process.env,
    directory: wanted.directory,
  });
  const connection = await Connection.connect({ address: wanted.address });
  try {
    const client = new Client({ connection });
    const one = (id: string) =>
      client.workflow.execute("empty", {
        taskQueue,
        workflowId: `${taskQueue}-${id}`,
        args: [wanted.activities],
      });
    // The first ones wait for the worker to have bundled its code.
    await Promise.all(["a", "b", "c"].map(one));
    const left = Array.from({ length: wanted.workflows }, (_, i) => String(i));
    const running: Promise<unknown>[] = [];
    const beganMs = nowMs();
    const lane = async () => {
      for (let id = left.pop(); id !== undefined; id = left.pop()) {
        const handle = await client.workflow.start("empty", {
          taskQueue,
          workflowId: `${taskQueue}-${id}`,
          args: [wanted.activities],
        });
        running.push(handle.result());
      }
    };
    await Promise.all(Array.from({ length: wanted.concurrency }, lane));
    await Promise.all(running);
    return (wanted.workflows / (nowMs() - beganMs)) * 1000;
  } finally {
    await connection.close();
    await worker.end("SIGTERM");
  }
}
