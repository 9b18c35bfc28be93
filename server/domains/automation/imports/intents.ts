/** Starts the workflow of an import, through the outbox. */
import {
  importWorkflowId,
  importWorkflowName,
  type ImportInput,
  type ImportPlace,
} from "@forgeline/schemas/imports/workflow.ts";
import { mirrorTaskQueue } from "@forgeline/schemas/mirrors/workflow.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import { addIntent } from "../../../platform/outbox/outbox.ts";
import type { Temporal } from "../../../platform/temporal.ts";

/** Prefix of the keys of these intents, and their kind. */
export const importKey = "import";

export async function addImportIntent(tx: Transaction, at: ImportPlace): Promise<void> {
  await addIntent(tx, {
    kind: importKey,
    key: `${importKey}:${at.repositoryId}:${at.importId}:${at.attempt}`,
    group: at.repositoryId,
    payload: at,
  });
}

/** `at` is `REPOSITORY:ID:ATTEMPT`. Does nothing while it is running. Throws if Temporal does not answer. */
export async function startImport(
  { temporal, taskQueue }: { temporal: Temporal; taskQueue: string },
  at: string,
): Promise<void> {
  const [repositoryId = "", importId = "", text = ""] = at.split(":");
  const attempt = Number(text);
  const input: ImportInput = { importId, attempt, queue: mirrorTaskQueue(taskQueue) };
  await temporal.call((client) =>
    client.workflow.start(importWorkflowName, {
      taskQueue,
      workflowId: importWorkflowId(taskQueue, { repositoryId, importId, attempt }),
      workflowIdConflictPolicy: "USE_EXISTING",
      args: [input],
    }),
  );
}
