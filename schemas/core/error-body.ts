/** The body of every REST error (`spec.md` section 7 and what `decisions.md` adds to it). */
import { z } from "zod";
import { errorCatalogue, type ErrorCode } from "./errors.ts";
import { timestamp } from "./time.ts";

const codes = Object.keys(errorCatalogue) as [ErrorCode, ...ErrorCode[]];

export const FieldErrorBody = z
  .object({ field: z.string(), code: z.string(), message: z.string() })
  .meta({ id: "FieldError" });

export const ErrorBody = z
  .object({
    error: z.enum(codes).describe("Stable code; each one has a page at documentation_url."),
    message: z.string(),
    documentation_url: z.string(),
    errors: z
      .array(FieldErrorBody)
      .optional()
      .describe("Only with validation_failed, and with bad_request if the query is invalid."),
    required_scopes: z.array(z.string()).optional().describe("Only with insufficient_scope."),
    two_factor_required: z
      .literal(true)
      .optional()
      .describe(
        "Only with unauthorized, at sign-in: the password is correct, but a one-time code is required as well.",
      ),
    reset_at: timestamp.optional().describe("Only with rate_limit_exceeded."),
    record: z
      .string()
      .nullable()
      .optional()
      .describe("Only with conflict: where that is which a repeated Idempotency-Key made, with its secret."),
    request_id: z.string().optional().describe("Only with internal_error and unavailable."),
  })
  .meta({ id: "Error" });
export type ErrorBody = z.infer<typeof ErrorBody>;
