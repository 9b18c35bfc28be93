/**
 * Anchors: what stands in a chain in place of entries whose time is over. Signed with the instance's key, so that whoever can write to the
 * database cannot pass off entries that were removed for ones that expired.
 */
import { signatureBytes, type Signer } from "../../../platform/keys/signer.ts";

export interface Span {
  first: number;
  last: number;
  /** Hash of the entry before the first one, and of the last one; hexadecimal. */
  before: string;
  hash: string;
}

export interface Anchor extends Span {
  /** Hexadecimal. */
  signature: string;
}

export interface AnchorSigner {
  sign(chain: string, span: Span): Anchor;
  proves(chain: string, anchor: Anchor): boolean;
}

export function createAnchorSigner(signer: Signer): AnchorSigner {
  // Apart from points in the object store and from cursors, which the same key signs.
  const signed = (chain: string, { first, last, before, hash }: Span) =>
    JSON.stringify(["anchor", chain, first, last, before, hash]);
  return {
    sign: (chain, { first, last, before, hash }) => {
      const span = { first, last, before, hash };
      return { ...span, signature: signer.sign(signed(chain, span)).toString("hex") };
    },
    proves: (chain, anchor) =>
      signer.proves(Buffer.from(anchor.signature, "hex"), signatureBytes, signed(chain, anchor)),
  };
}

/** Spans without gaps between them, each as long as it can be; `numbers` rise. */
export function spansOf(entries: readonly { number: number; before: string; hash: string }[]): Span[] {
  const spans: Span[] = [];
  for (const { number, before, hash } of entries) {
    const open = spans.at(-1);
    if (open && open.last === number - 1 && open.hash === before) Object.assign(open, { last: number, hash });
    else spans.push({ first: number, last: number, before, hash });
  }
  return spans;
}

/** Each span together with the anchors that it touches. */
export function joinAnchors(spans: readonly Span[], anchors: readonly Span[]): Span[] {
  const all = [...spans, ...anchors].toSorted((one, other) => one.first - other.first);
  const joined: Span[] = [];
  for (const span of all) {
    const open = joined.at(-1);
    if (open && touches(open, span)) Object.assign(open, { last: span.last, hash: span.hash });
    else joined.push({ first: span.first, last: span.last, before: span.before, hash: span.hash });
  }
  return joined;
}

/** Whether one follows the other, also by its hash. */
function touches(one: Span, other: Span): boolean {
  return one.last === other.first - 1 && one.hash === other.before;
}

/** Whether nothing speaks against joining a span with the anchors beside it: each is ours, and follows or is followed by hash. */
export function mayJoin(span: Span, anchors: readonly (Span & { isOurs: boolean })[]): boolean {
  return anchors
    .filter(({ first, last }) => last === span.first - 1 || first === span.last + 1)
    .every((anchor) => anchor.isOurs && (touches(anchor, span) || touches(span, anchor)));
}
