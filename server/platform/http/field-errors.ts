/** zod's issues as the stable field errors of our answers; values are never repeated back. */
import type { z } from "zod";
import { errorCatalogue, type FieldError } from "@forgeline/schemas/core/errors.ts";
import { AppError } from "../app-error.ts";
import { messageOf } from "./field-messages.ts";

/** Nobody mends more at once, and an answer is not to be larger than its question. */
const maxErrors = 20;
const maxFieldLength = 200;

/** An `AppError` with the first of the errors; its message says when there are more. */
export function fieldsRefused(
  code: "validation_failed" | "bad_request",
  errors: readonly FieldError[],
  message: string = errorCatalogue[code].message,
): AppError {
  const told = errors.slice(0, maxErrors).map((error) => ({ ...error, field: shortened(error.field) }));
  const rest = errors.length > maxErrors ? ` These are the first ${maxErrors} errors; there are more.` : "";
  return new AppError(code, { message: `${message}${rest}`, errors: told });
}

function shortened(field: string): string {
  return field.length <= maxFieldLength ? field : `${field.slice(0, maxFieldLength).toWellFormed()}…`;
}

/** The errors of so many issues as can be told, and one more where there are more. */
export function toFieldErrors(issues: readonly z.core.$ZodIssue[]): FieldError[] {
  return issues.slice(0, maxErrors + 1).flatMap((issue) => {
    const field = issue.path.map(String).join(".");
    if (issue.code === "unrecognized_keys")
      return issue.keys.slice(0, maxErrors + 1).map((key) => ({
        field: field === "" ? key : `${field}.${key}`,
        code: "unknown_field",
        message: "Unknown field.",
      }));
    return [{ field, code: codeOf(issue), message: messageOf(issue) }];
  });
}

function codeOf(issue: z.core.$ZodIssue): string {
  if (issue.code === "invalid_type")
    return issue.message.endsWith("received undefined") ? "required" : "wrong_type";
  if (issue.code === "too_small")
    return issue.origin === "string" || issue.origin === "array" ? "too_short" : "too_small";
  if (issue.code === "too_big")
    return issue.origin === "string" || issue.origin === "array" ? "too_long" : "too_large";
  if (issue.code === "invalid_value") return "not_allowed";
  if (issue.code === "custom" && typeof issue.params?.["code"] === "string") return issue.params["code"];
  return "invalid";
}
