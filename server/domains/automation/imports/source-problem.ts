/** Why an import cannot go on. */

/** Lasting, as a sentence for whoever began it. */
export class SourceProblem extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "SourceProblem";
  }
}

/** May be over at the next try; the sentence is shown when none helps. */
export class SourceUnavailable extends Error {
  constructor(message: string) {
    super(message);
    this.name = "SourceUnavailable";
  }
}
