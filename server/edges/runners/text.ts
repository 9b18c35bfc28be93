/**
 * Text frames of a runner. Its members are counted in a single pass over its bytes, so that their cost is taken before parsing;
 * only known fields of the protocol are checked for text that PostgreSQL cannot store.
 */
import { RunnerMessage } from "@forgeline/schemas/runner-protocol/messages.ts";
import { countTokens, memberAndValueTokens } from "../../platform/json-tokens.ts";
import { storableValue } from "../../platform/storable-text.ts";

/** A `hello` that names two hundred jobs of a hundred steps has half of it. */
const maxMarks = 200_000;
const bytesOfOne = 8 * 1024;
const marksOfOne = 100;

/** The cost of reading a frame; undefined if it has more members than any message. */
export function costOfReading(data: Uint8Array): number | undefined {
  const marks = countTokens(data, memberAndValueTokens, maxMarks);
  if (marks > maxMarks) return undefined;
  return Math.floor(data.length / bytesOfOne) + Math.floor(marks / marksOfOne);
}

export type Read = { message: RunnerMessage } | { problem: string; id?: number };

/** NUL and lone surrogates can only be written like this; bytes that are not UTF-8 are replaced by decoding. */
const maybeUnstorable = /\\u(?:0000|d[89a-f])/i;

/** `id` where a message of another kind can be answered. */
export function readMessage(data: Buffer): Read {
  const text = data.toString("utf8");
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { problem: "not JSON" };
  }
  const parsed = RunnerMessage.safeParse(value);
  if (parsed.success)
    return { message: maybeUnstorable.test(text) ? storableValue(parsed.data) : parsed.data };
  const issue = parsed.error.issues[0];
  const problem = `${issue?.path.join(".") ?? ""}: ${issue?.message ?? "not a message of the protocol"}`;
  const id = (value as { id?: unknown } | null)?.id;
  return typeof id === "number" && Number.isInteger(id) && id >= 1 ? { problem, id } : { problem };
}
