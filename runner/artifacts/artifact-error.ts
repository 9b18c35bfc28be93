/** What went wrong with an artifact, in words for the people whose job it is. */
export class ArtifactError extends Error {
  /** Trying again may help. */
  readonly isPassing: boolean;
  constructor(message: string, isPassing = false, options?: ErrorOptions) {
    super(message, options);
    this.name = "ArtifactError";
    this.isPassing = isPassing;
  }
}
