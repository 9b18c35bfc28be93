/** Highlighted lines of a text; undefined until they are there, and for what is not highlighted. */
import { useEffect, useState } from "react";
import { fetchPart } from "../../api/fetch-part.ts";
import type { CodeLine } from "./code-line.ts";

/** Beyond this, colours would hold up the page longer than they help. */
const maxHighlightedChars = 1_000_000;

export function useHighlighted(
  text: string,
  by: { name: string } | { language: string },
): CodeLine[] | undefined {
  const [done, setDone] = useState<{ text: string; lines: CodeLine[] | undefined }>();
  const key = "name" in by ? by.name : by.language;
  const isName = "name" in by;
  useEffect(() => {
    if (text.length > maxHighlightedChars) return;
    let isWanted = true;
    void fetchPart(() => import("./highlight.ts")).then(({ highlightLines, languageOf }) => {
      const language = isName ? languageOf(key) : key;
      if (isWanted && language !== undefined) setDone({ text, lines: highlightLines(text, language) });
    });
    return () => {
      isWanted = false;
    };
  }, [text, key, isName]);
  return done?.text === text ? done.lines : undefined;
}
