/** Colours of lines, which are highlighted as what stands there before and after the change. */
import { useEffect, useState } from "react";
import { fetchPart } from "../../api/fetch-part.ts";
import type { CodeLine } from "../contents/highlight.ts";
import type { PatchLine } from "./parse-patch.ts";

type Colors = ReadonlyMap<PatchLine, CodeLine>;

/** Beyond these, colours would hold up the page longer than they help. */
const maxChars = 60_000;
const maxCharsOfLine = 2_000;

/** Undefined until they are there, and for what is not highlighted. */
export function useLineColors(lines: readonly PatchLine[], path: string): Colors | undefined {
  const [done, setDone] = useState<{ lines: readonly PatchLine[]; colors: Colors }>();
  useEffect(() => {
    if (!isColorable(lines)) return;
    let isWanted = true;
    void fetchPart(() => import("../contents/highlight.ts")).then(({ highlightLines, languageOf }) => {
      const language = languageOf(path.slice(path.lastIndexOf("/") + 1));
      if (!isWanted || language === undefined) return;
      setDone({ lines, colors: colorsOf(lines, (text) => highlightLines(text, language)) });
    });
    return () => {
      isWanted = false;
    };
  }, [lines, path]);
  return done?.lines === lines ? done.colors : undefined;
}

function isColorable(lines: readonly PatchLine[]): boolean {
  let chars = 0;
  for (const { text } of lines) {
    chars += text.length;
    if (text.length > maxCharsOfLine || chars > maxChars) return false;
  }
  return chars > 0;
}

function colorsOf(
  lines: readonly PatchLine[],
  highlight: (text: string) => readonly CodeLine[] | undefined,
): Colors {
  const colors = new Map<PatchLine, CodeLine>();
  for (const other of ["added", "removed"] as const) {
    const side = lines.filter(({ kind }) => kind !== other);
    const found = highlight(side.map(({ text }) => text).join("\n")) ?? [];
    for (const [index, line] of side.entries()) colors.set(line, found[index] ?? []);
  }
  return colors;
}
