/**
 * Keeps the body of a delivery within its limit: long text first, then long lists. What is left is the same each time, and
 * always whole JSON. Pure.
 */

/** Text longer than this is cut in every body. */
const maxTextLength = 64 * 1024;
export const maxBodyBytes = 25 * 1024 * 1024;
const ending = "… (cut)";

/** JSON; `truncated: true` is added to the object where something was cut. */
export function toBody(value: object, limit = maxBodyBytes): string {
  let text = maxTextLength;
  let items = Number.POSITIVE_INFINITY;
  let longest: Longest | undefined;
  for (;;) {
    const cut = cutTo(value, { text, items });
    const body = JSON.stringify(cut.changed ? { ...(cut.value as object), truncated: true } : cut.value);
    // Below this nothing is left to cut.
    if (Buffer.byteLength(body) <= limit || (text <= 64 && items <= 1)) return body;
    longest ??= longestOf(value);
    // A limit that cuts nothing gives the same body again, which may take long to write.
    do
      if (text > 64) text /= 2;
      else items = Math.min(items, 4096) / 2;
    while (text >= longest.text && items >= longest.items && (text > 64 || items > 1));
  }
}

interface Longest {
  text: number;
  items: number;
}

function longestOf(value: unknown): Longest {
  if (typeof value === "string") return { text: value.length, items: 0 };
  if (typeof value !== "object" || value === null) return { text: 0, items: 0 };
  const longest = { text: 0, items: Array.isArray(value) ? value.length : 0 };
  for (const member of Object.values(value)) {
    const { text, items } = longestOf(member);
    longest.text = Math.max(longest.text, text);
    longest.items = Math.max(longest.items, items);
  }
  return longest;
}

interface Cut {
  value: unknown;
  changed: boolean;
}

function cutTo(value: unknown, most: { text: number; items: number }): Cut {
  if (typeof value === "string")
    return value.length > most.text
      ? { value: cutText(value, most.text), changed: true }
      : { value, changed: false };
  if (typeof value !== "object" || value === null) return { value, changed: false };
  if (Array.isArray(value)) {
    const kept = value.slice(0, most.items).map((item: unknown) => cutTo(item, most));
    const changed = kept.length < value.length || kept.some((item) => item.changed);
    return { value: kept.map((item) => item.value), changed };
  }
  const members = Object.entries(value).map(([key, member]) => [key, cutTo(member, most)] as const);
  return {
    value: Object.fromEntries(members.map(([key, member]) => [key, member.value])),
    changed: members.some(([, member]) => member.changed),
  };
}

/** Never inside a pair of surrogates. */
function cutText(text: string, length: number): string {
  return (
    text
      .slice(0, length - ending.length)
      .toWellFormed()
      .replace(/\uFFFD$/, "") + ending
  );
}
