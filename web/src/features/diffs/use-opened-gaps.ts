/** Which of the lines that a patch leaves out somebody asked to see, and those lines. */
import { useMemo, useState } from "react";
import { canShowLines } from "./fold.ts";
import { gapsOf, gapWith, linesAtOnce, linesPerStep, openGap, type Opened, type OpenedGap } from "./gaps.ts";
import { numberOf, sideOf } from "./anchors.ts";
import type { Hunk } from "./parse-patch.ts";
import type { LineName } from "./slots.ts";
import type { FileDiff } from "./source.ts";
import { useFileLines } from "./use-file-lines.ts";

export type OpenGap = (index: number, part: "below" | "above" | "all") => void;

const nothing: Opened = { top: 0, bottom: 0 };
const everything: Opened = { top: linesAtOnce, bottom: 0 };

/** `whole`: all gaps are open; `wantedLines`: so are those that hold these lines, such as `L4` or `R4`. */
export function useOpenedGaps(
  file: FileDiff,
  hunks: readonly Hunk[],
  { whole, wantedLines }: { whole: boolean; wantedLines: readonly LineName[] },
) {
  const [opened, setOpened] = useState<ReadonlyMap<number, Opened>>(new Map());
  const wanted = useMemo(() => gapsWith(hunks, wantedLines), [hunks, wantedLines]);
  const query = useFileLines(file, whole || opened.size > 0 || wanted.size > 0);
  const lines = query.data;
  const gaps = useMemo(() => {
    const openedAs = (index: number) => {
      const atFirst = whole ? everything : (wanted.get(index) ?? nothing);
      return sum(atFirst, opened.get(index) ?? nothing);
    };
    return gapsOf(hunks, lines?.length).map((gap, index): OpenedGap => openGap(gap, openedAs(index), lines));
  }, [hunks, lines, opened, whole, wanted]);
  const open: OpenGap = (index, part) =>
    setOpened((before) => new Map(before).set(index, more(before.get(index) ?? nothing, part)));
  return { gaps, open, canOpen: canShowLines(file), error: query.error, isFetching: query.isFetching };
}

/** By index of the gap. */
function gapsWith(hunks: readonly Hunk[], lines: readonly LineName[]): ReadonlyMap<number, Opened> {
  const wanted = new Map<number, Opened>();
  if (lines.length === 0) return wanted;
  const gaps = gapsOf(hunks);
  for (const line of lines) {
    const found = gapWith(gaps, sideOf(line), numberOf(line));
    if (!found) continue;
    const { top, bottom } = wanted.get(found.index) ?? nothing;
    const { opened } = found;
    wanted.set(found.index, { top: Math.max(top, opened.top), bottom: Math.max(bottom, opened.bottom) });
  }
  return wanted;
}

function more({ top, bottom }: Opened, part: "below" | "above" | "all"): Opened {
  if (part === "all") return { top: top + linesAtOnce, bottom };
  return part === "below" ? { top: top + linesPerStep, bottom } : { top, bottom: bottom + linesPerStep };
}

function sum(one: Opened, other: Opened): Opened {
  return { top: one.top + other.top, bottom: one.bottom + other.bottom };
}
