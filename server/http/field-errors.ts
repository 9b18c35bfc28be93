/** zod's issues as the stable field errors of our answers; values are never repeated back. */
import type { z } from "zod";
import type { FieldError } from "@forgeline/schemas/core/errors.ts";
import { messageOf } from "./field-messages.ts";

export function toFieldErrors(issues: readonly z.core.$ZodIssue[]): FieldError[] {
  return issues.flatMap((issue) => {
    const field = issue.path.map(String).join(".");
    if (issue.code === "unrecognized_keys")
      return issue.keys.map((key) => ({
        field: field === "" ? key : `${field}.${key}`,
        code: "unknown_field",
        message: "This field is not known.",
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
  return "invalid";
}
