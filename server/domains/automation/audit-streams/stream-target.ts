/** What takes the entries of an audit log. */
import type { Batch } from "./batch.ts";

export interface StreamTarget {
  /** Throws TargetProblem for what it does not accept, and the signal's reason. */
  send(batch: Batch, signal: AbortSignal): Promise<void>;
  /** Whether it accepts each batch by itself. Otherwise `confirm` says that all are. */
  acceptsEach: boolean;
  /** Resolves when all batches so far have been accepted. Throws as `send` does. */
  confirm(signal: AbortSignal): Promise<void>;
  close(): void;
}

/** Why a target did not accept something: a sentence for whoever set it up. */
export class TargetProblem extends Error {
  /** How long it asks us to wait. */
  readonly askedMs: number;

  constructor(message: string, { askedMs = 0, ...options }: ErrorOptions & { askedMs?: number } = {}) {
    super(message, options);
    this.name = "TargetProblem";
    this.askedMs = askedMs;
  }
}

/** For one request, write or answer. */
export const answerMs = 10_000;
