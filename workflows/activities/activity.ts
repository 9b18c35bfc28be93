/** What every activity does around its one call: parse what the workflow sent, and map what the service throws. */
import { ApplicationFailure } from "@temporalio/activity";
import { errorCatalogue } from "@forgeline/schemas/core/errors.ts";
import type { z } from "zod";

export function activity<Schema extends z.ZodType, Result>(
  schema: Schema,
  call: (input: z.infer<Schema>) => Promise<Result>,
): (input: z.infer<Schema>) => Promise<Result> {
  return async (input) => {
    try {
      return await call(schema.parse(input));
    } catch (error) {
      throw failure(error);
    }
  };
}

/**
 * What PostgreSQL says again however often it is asked: a value that it cannot hold (22), that breaks a rule (23), or that
 * is more than it takes (54). Not 23505: who collided with another's row may find it at the next try.
 */
const lastingSqlState = /^(?!23505)(22|23|54)[0-9A-Z]{3}$/;

/** By name, not by class: activities know the server's types only. */
function failure(error: unknown): unknown {
  if (error instanceof Error && error.name === "ZodError") {
    // What cannot be read today cannot be read at the next try.
    return ApplicationFailure.nonRetryable(error.message, "unreadable");
  }
  const known = error instanceof Error && "code" in error ? error.code : null;
  if (error instanceof Error && typeof known === "string" && lastingSqlState.test(known)) {
    return ApplicationFailure.create({
      type: known,
      message: error.message,
      nonRetryable: true,
      cause: error,
    });
  }
  const code = error instanceof Error && error.name === "AppError" ? known : null;
  if (typeof code !== "string" || !(code in errorCatalogue)) return error;
  const entry = errorCatalogue[code as keyof typeof errorCatalogue];
  return ApplicationFailure.create({
    type: code,
    message: (error as Error).message,
    nonRetryable: !entry.retryable,
    cause: error as Error,
  });
}
