/** Decides, without I/O, what happens with frames for streams whose durable end is known. */
import type { LogFrame } from "@forgeline/schemas/logs/frame.ts";
import { cutFrame } from "./frame-bytes.ts";

export type AppendAnswer = { nextOffset: number } | { expected: number };

export interface PendingFrame {
  streamId: string;
  frame: LogFrame;
  raw: Buffer;
  resolve(answer: AppendAnswer): void;
  reject(error: Error): void;
}

export interface PlannedAnswer {
  pending: PendingFrame;
  answer: AppendAnswer;
}

export interface AppendPlan {
  /** In order, adjoining within a stream; `raw` are the bytes of the (perhaps cut) frame. */
  accepted: { streamId: string; frame: LogFrame; raw: Buffer }[];
  /** Answers to send once `accepted` is durable. */
  answers: PlannedAnswer[];
}

/** `ends` holds the durable end of every stream in `batch`, and is not changed. */
export function planAppend(batch: readonly PendingFrame[], ends: ReadonlyMap<string, number>): AppendPlan {
  const next = new Map(ends);
  const plan: AppendPlan = { accepted: [], answers: [] };
  for (const pending of batch) {
    const { streamId, frame } = pending;
    const at = next.get(streamId) ?? 0;
    const end = frame.offset + frame.rawLength;
    if (frame.offset > at) {
      plan.answers.push({ pending, answer: { expected: at } });
      continue;
    }
    if (end > at) {
      plan.accepted.push({
        streamId,
        frame: cutFrame(frame, at),
        raw: pending.raw.subarray(at - frame.offset),
      });
      next.set(streamId, end);
    }
    plan.answers.push({ pending, answer: { nextOffset: Math.max(at, end) } });
  }
  return plan;
}
