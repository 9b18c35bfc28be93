/** A refusal that says who may, to somebody who sees the resource anyway. */
import { errorCatalogue } from "@forgeline/schemas/core/errors.ts";
import { AppError } from "../../platform/app-error.ts";

export function forbiddenBut(whoMay: string): AppError {
  return new AppError("forbidden", { message: `${errorCatalogue.forbidden.message} ${whoMay}` });
}
