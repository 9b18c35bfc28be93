/** What the elements of one text know of it. */
import type { Element } from "hast";
import { createContext, useContext } from "react";
import type { MarkdownPlace } from "./targets.ts";

export interface ShownText {
  place: MarkdownPlace;
  /** Keeps its ids apart from those of other texts on the page; empty for a file. */
  textId: string;
  /** Undefined if tasks cannot be ticked here. */
  toggle: ((index: number, checked: boolean) => void) | undefined;
  /** Blocks of code that suggest changes, and which ones of the text they are. */
  suggestions: ReadonlyMap<Element, number>;
}

export const TextContext = createContext<ShownText | undefined>(undefined);

export function useShownText(): ShownText {
  const shown = useContext(TextContext);
  if (!shown) throw new Error("drawn outside of a text in Markdown");
  return shown;
}
