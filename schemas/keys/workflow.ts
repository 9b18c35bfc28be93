/** The workflow that replaces the instance's encryption key. Keys never travel. */
import { z } from "zod";
import { idOf } from "../core/ids.ts";

export const keyRotationWorkflowName = "rotateKeys";

const prefix = "rotate-keys:";

export function keyRotationWorkflowId(rotationId: string): string {
  return `${prefix}${rotationId}`;
}

/** undefined for the id of another workflow. */
export function rotationOfWorkflow(workflowId: string): string | undefined {
  return workflowId.startsWith(prefix) ? workflowId.slice(prefix.length) : undefined;
}

export const RotationInput = z.strictObject({ rotationId: idOf("rot") });
export type RotationInput = z.infer<typeof RotationInput>;

/** Of the workflow: `queue` is that of its activities. */
export interface KeyRotationInput extends RotationInput {
  queue: string;
}

/** `waitMs`: until every process knows the new key, and it is current. */
export interface AddedKey {
  waitMs: number;
}
