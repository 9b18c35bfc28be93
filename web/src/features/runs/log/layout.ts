/** Where each line of a log stands when sections and groups may be folded. All rows are of one height. */
import { streamKey } from "./log-store.ts";
import { lastIndexAtMost, type LogGroup, type LogStream } from "./log-stream.ts";

export const rowHeight = 20;
export const headHeight = 36;

export interface Rows {
  count: number;
  lineAt(row: number): number;
  /** Row of the line, or of the group that hides it. */
  rowOf(line: number): number;
}

/** `isOpen` says it of each group. */
export function rowsOf(
  lineCount: number,
  groups: readonly LogGroup[],
  isOpen: (group: LogGroup) => boolean,
): Rows {
  // Stretches of lines that are seen: the row and the line at which each begins.
  const rows = [0];
  const lines = [0];
  let hidden = 0;
  for (const group of groups) {
    const last = Math.min(group.end ?? lineCount - 1, lineCount - 1);
    if (isOpen(group) || last <= group.start) continue;
    hidden += last - group.start;
    rows.push(last + 1 - hidden);
    lines.push(last + 1);
  }
  const count = lineCount - hidden;
  return {
    count,
    lineAt(row) {
      const at = lastIndexAtMost(rows, row);
      return (lines[at] ?? 0) + row - (rows[at] ?? 0);
    },
    rowOf(line) {
      const at = lastIndexAtMost(lines, line);
      const row = (rows[at] ?? 0) + line - (lines[at] ?? 0);
      return Math.min(row, (rows[at + 1] ?? count) - 1);
    },
  };
}

export interface SectionLayout {
  key: string;
  log: LogStream;
  top: number;
  height: number;
  /** None when it is folded. */
  rows: Rows;
  isOpen: boolean;
}

export interface LogLayout {
  sections: SectionLayout[];
  height: number;
}

/** What is folded; what is not named is as the defaults say. */
export interface Folds {
  /** Key of the stream → whether it is open. */
  sections: ReadonlyMap<string, boolean>;
  /** `STREAM:LINE` → whether it is open. */
  groups: ReadonlyMap<string, boolean>;
}

export const groupKey = (stream: string, line: number) => `${stream}:${line}`;

/** A group that nothing has closed is where the job is, or was when it failed. */
export function isGroupOpen(folds: Folds, stream: string, group: LogGroup): boolean {
  return folds.groups.get(groupKey(stream, group.start)) ?? group.end === null;
}

export function layOut(
  streams: readonly LogStream[],
  folds: Folds,
  isOpenByDefault: (log: LogStream) => boolean,
): LogLayout {
  let top = 0;
  const sections = streams.map((log) => {
    const key = streamKey(log);
    const isOpen = folds.sections.get(key) ?? isOpenByDefault(log);
    const rows = isOpen
      ? rowsOf(log.lineCount(), log.groups(), (group) => isGroupOpen(folds, key, group))
      : noRows;
    const section = { key, log, top, height: headHeight + rows.count * rowHeight, rows, isOpen };
    top += section.height;
    return section;
  });
  return { sections, height: top };
}

/** Chromium draws nothing beyond some 33 million pixels. */
const tallestElement = 30_000_000;

/** Height of the element that is scrolled, for a log of `height`. */
export function scrolledHeight(height: number): number {
  return Math.min(height, tallestElement);
}

/** How many pixels of the log lie on one pixel that is scrolled: 1 unless the log is taller than an element can be. */
export function scrollRatio(height: number, windowHeight: number): number {
  return height <= tallestElement ? 1 : (height - windowHeight) / (tallestElement - windowHeight);
}

const noRows: Rows = { count: 0, lineAt: () => 0, rowOf: () => 0 };
