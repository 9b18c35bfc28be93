/** The workflow of an import. */
import { z } from "zod";

export const importWorkflowName = "importRepository";

/** Each attempt has one of its own. */
export function importWorkflowId(taskQueue: string, at: ImportPlace): string {
  return `import:${taskQueue}:${at.repositoryId}:${at.importId}:${at.attempt}`;
}

export interface ImportPlace {
  repositoryId: string;
  importId: string;
  attempt: number;
}

/** Undefined for other workflows. */
export function importOf(workflowId: string): ImportPlace | undefined {
  const found = /^import:.+:(repo_[0-9a-z]{26}):(imp_[0-9a-z]{26}):(\d+)$/.exec(workflowId);
  const [, repositoryId, importId, attempt] = found ?? [];
  if (repositoryId === undefined || importId === undefined) return undefined;
  return { repositoryId, importId, attempt: Number(attempt) };
}

export const StepImport = z.strictObject({ importId: z.string(), attempt: z.number().int() });
export type StepImport = z.infer<typeof StepImport>;

/** Of the workflow: `queue` is that of its activities. */
export interface ImportInput extends StepImport {
  queue: string;
}

/** What comes next: nothing, or the next pages after a wait. */
export interface ImportStep {
  ended: boolean;
  waitMs: number;
}
