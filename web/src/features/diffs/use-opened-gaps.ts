/** Which of the lines that a patch leaves out somebody asked to see, and those lines. */
import { useMemo, useState } from "react";
import { canShowLines } from "./fold.ts";
import { gapsOf, gapWith, linesAtOnce, linesPerStep, openGap, type Opened, type OpenedGap } from "./gaps.ts";
import type { Hunk } from "./parse-patch.ts";
import type { FileDiff } from "./source.ts";
import { useFileLines } from "./use-file-lines.ts";

export type OpenGap = (index: number, part: "below" | "above" | "all") => void;

const nothing: Opened = { top: 0, bottom: 0 };
const everything: Opened = { top: linesAtOnce, bottom: 0 };

/** `whole`: all gaps are open; `line`: so is the one that holds this line, `L4` or `R4`. */
export function useOpenedGaps(
  file: FileDiff,
  hunks: readonly Hunk[],
  { whole, line }: { whole: boolean; line: string | undefined },
) {
  const [opened, setOpened] = useState<ReadonlyMap<number, Opened>>(new Map());
  const wanted = useMemo(() => (line === undefined ? undefined : gapOf(hunks, line)), [hunks, line]);
  const query = useFileLines(file, whole || opened.size > 0 || wanted !== undefined);
  const lines = query.data;
  const gaps = useMemo(() => {
    const openedAs = (index: number) => {
      const atFirst = whole ? everything : index === wanted?.index ? wanted.opened : nothing;
      return sum(atFirst, opened.get(index) ?? nothing);
    };
    return gapsOf(hunks, lines?.length).map((gap, index): OpenedGap => openGap(gap, openedAs(index), lines));
  }, [hunks, lines, opened, whole, wanted]);
  const open: OpenGap = (index, part) =>
    setOpened((before) => new Map(before).set(index, more(before.get(index) ?? nothing, part)));
  return { gaps, open, canOpen: canShowLines(file), error: query.error, isFetching: query.isFetching };
}

function gapOf(hunks: readonly Hunk[], line: string) {
  return gapWith(gapsOf(hunks), line.startsWith("L") ? "L" : "R", Number(line.slice(1)));
}

function more({ top, bottom }: Opened, part: "below" | "above" | "all"): Opened {
  if (part === "all") return { top: top + linesAtOnce, bottom };
  return part === "below" ? { top: top + linesPerStep, bottom } : { top, bottom: bottom + linesPerStep };
}

function sum(one: Opened, other: Opened): Opened {
  return { top: one.top + other.top, bottom: one.bottom + other.bottom };
}
