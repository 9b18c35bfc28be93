/**
 * A merge is refused only for this moment: a branch has just moved, or another merge is under way. Callers see any other `conflict`;
 * whoever tries again in the background does so soon.
 */
import { AppError } from "../../../platform/app-error.ts";

export class PassingConflict extends AppError {
  constructor(message: string) {
    super("conflict", { message });
  }
}
