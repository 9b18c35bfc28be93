/** Pieces of a line as they are drawn: colours of the palette as `#rrggbb`, and the words that are searched set apart. */
import type { Span } from "./sgr.ts";

const cube = [0, 95, 135, 175, 215, 255];

/** The first 16 colours have names of their own in the style sheet; undefined for them and for none. */
export function hexOf(colour: number | string | null): string | undefined {
  if (typeof colour === "string") return colour.startsWith("#") ? colour : undefined;
  if (colour === null || colour < 16) return undefined;
  if (colour >= 232) return hex([0, 1, 2].map(() => 8 + (colour - 232) * 10));
  const index = colour - 16;
  return hex([Math.floor(index / 36), Math.floor(index / 6) % 6, index % 6].map((step) => cube[step] ?? 0));
}

function hex(parts: readonly number[]): string {
  return `#${parts.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}

export interface MarkedSpan extends Span {
  isFound: boolean;
}

/** `search` is in lower case; it is found also where it goes over a change of colour. */
export function markSpans(spans: readonly Span[], search: string): MarkedSpan[] {
  const whole = spans
    .map((span) => span.text)
    .join("")
    .toLowerCase();
  const cuts = search === "" ? [] : placesOf(whole, search);
  if (cuts.length === 0) return spans.map((span) => ({ ...span, isFound: false }));
  const marked: MarkedSpan[] = [];
  let start = 0;
  for (const { text, style } of spans) {
    const end = start + text.length;
    let at = start;
    for (const [from, to] of cuts) {
      if (to <= at || from >= end) continue;
      if (from > at) marked.push({ text: text.slice(at - start, from - start), style, isFound: false });
      const last = Math.min(to, end);
      marked.push({ text: text.slice(Math.max(from, at) - start, last - start), style, isFound: true });
      at = last;
    }
    if (at < end) marked.push({ text: text.slice(at - start), style, isFound: false });
    start = end;
  }
  return marked;
}

function placesOf(text: string, search: string): [number, number][] {
  const places: [number, number][] = [];
  for (let at = text.indexOf(search); at !== -1; at = text.indexOf(search, at + search.length))
    places.push([at, at + search.length]);
  return places;
}
