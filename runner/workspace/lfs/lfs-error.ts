/** Why an object of Git LFS did not come. */
import { GitError } from "../git.ts";

export class LfsError extends GitError {
  /** Whether it may go better in a moment. */
  readonly isPassing: boolean;
  constructor(message: string, isPassing: boolean) {
    super(`Git LFS: ${message}`, null);
    this.name = "LfsError";
    this.isPassing = isPassing;
  }
}
