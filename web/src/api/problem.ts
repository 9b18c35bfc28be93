/** What to tell people about a failure, in words. */
import { ForgelineApiError } from "@forgeline/client/errors.ts";
import { text } from "../text/general.ts";

export interface Problem {
  message: string;
  /** For who reports it; null when the server was not reached. */
  requestId: string | null;
}

export function problemOf(error: unknown): Problem {
  if (error instanceof ForgelineApiError) return { message: error.message, requestId: error.requestId };
  if (error instanceof TypeError) return { message: text.unreachable, requestId: null };
  return { message: error instanceof Error ? error.message : String(error), requestId: null };
}

export function isNotFound(error: unknown): boolean {
  return error instanceof ForgelineApiError && error.status === 404;
}

/** What is there does not allow it. */
export function isConflict(error: unknown): boolean {
  return error instanceof ForgelineApiError && error.status === 409;
}

/** Whether somebody may not see it, or it is not there for them. */
export function isRefusal(error: unknown): boolean {
  return error instanceof ForgelineApiError && [401, 403, 404].includes(error.status);
}

/** Message for each field of a form that the server named. */
export function fieldProblems(error: unknown): Record<string, string> {
  if (!(error instanceof ForgelineApiError)) return {};
  return Object.fromEntries((error.body.errors ?? []).map(({ field, message }) => [field, message]));
}

/** Whether a form's failure can be told beside its fields: one is wrong, or names something that is not there. */
export function isFieldProblem(error: unknown): boolean {
  return isNotFound(error) || Object.keys(fieldProblems(error)).length > 0;
}
