/** A Temporal worker for `empty-workflow.ts`, a process of its own as ours is. Arguments: address, task queue. */
import { fileURLToPath } from "node:url";
import { NativeConnection, Worker } from "@temporalio/worker";

const [address, taskQueue] = process.argv.slice(2);
if (!address || !taskQueue) throw new Error("usage: empty-worker.ts ADDRESS TASK_QUEUE");
const connection = await NativeConnection.connect({ address });
const worker = await Worker.create({
  connection,
  taskQueue,
  workflowsPath: fileURLToPath(new URL("empty-workflow.ts", import.meta.url)),
  activities: { nothing: () => Promise.resolve() },
  maxConcurrentWorkflowTaskExecutions: 50,
  maxCachedWorkflows: 2_000,
});
process.on("SIGTERM", () => worker.shutdown());
await worker.run();
await connection.close();
