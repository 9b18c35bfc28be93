/**
 * Control messages that the server has not acknowledged. They keep their id and are sent again, in order, after a
 * reconnect; what they say is kept elsewhere durably (state file), so nothing here needs the disk.
 */
import type { z } from "zod";
import type { Ack, Nack, RunnerMessage } from "@forgeline/schemas/runner-protocol/messages.ts";

export type Answer = z.infer<typeof Ack> | z.infer<typeof Nack>;
/** Distributes over the union, so that each message keeps its own shape. */
type WithoutId<M> = M extends { id: number } ? Omit<M, "id"> : never;
export type Outgoing = WithoutId<RunnerMessage>;

interface Entry {
  message: RunnerMessage;
  /** Lost with the connection instead of being sent again. */
  once: boolean;
  settle: (answer: Answer | "disconnected") => void;
}

export class Outbox {
  readonly #pending = new Map<number, Entry>();
  #lastId = 0;

  nextId(): number {
    return ++this.#lastId;
  }

  /** Keeps the message until it is answered. */
  add(outgoing: Outgoing, once: boolean, settle: Entry["settle"]): RunnerMessage {
    const message = { ...outgoing, id: this.nextId() } as RunnerMessage;
    this.#pending.set(message.id, { message, once, settle });
    return message;
  }

  answered(answer: Answer): void {
    const entry = this.#pending.get(answer.id);
    if (!entry) return;
    this.#pending.delete(answer.id);
    entry.settle(answer);
  }

  /** The connection is gone: what belongs to it alone is given up. */
  disconnected(): void {
    for (const [id, entry] of this.#pending)
      if (entry.once) {
        this.#pending.delete(id);
        entry.settle("disconnected");
      }
  }

  /** Everything to send again, in order. */
  pending(): RunnerMessage[] {
    return [...this.#pending.values()].map((entry) => entry.message);
  }

  /** Drops what concerns a lease that is no longer ours. */
  dropLease(attemptId: string, epoch: number): void {
    for (const [id, { message, settle }] of this.#pending)
      if ("attemptId" in message && message.attemptId === attemptId && message.epoch === epoch) {
        this.#pending.delete(id);
        settle("disconnected");
      }
  }
}
