/** What the store has lost, to those who ask for it. */
import { AppError } from "../app-error.ts";
import { ObjectNotFound } from "./object-store.ts";

/** For `catch`: throws `not_found` for an object that is not there, so that nobody asks again, and any other error as it is. */
export function lostIsAbsent(error: unknown): never {
  throw error instanceof ObjectNotFound ? new AppError("not_found", { cause: error }) : error;
}
