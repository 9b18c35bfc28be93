/** A span, before it is encoded. */

export type AttributeValue = string | number | boolean;
export type Attributes = Readonly<Record<string, AttributeValue>>;

export interface Span {
  name: string;
  traceId: string;
  spanId: string;
  /** Null: the root. */
  parentId: string | null;
  startMs: number;
  endMs: number;
  /** Null where nothing is said about it, as for what was cancelled or skipped. */
  ok: boolean | null;
  /** Why it is not ok. */
  message: string;
  attributes: Attributes;
  links: readonly { traceId: string; spanId: string; attributes: Attributes }[];
}
