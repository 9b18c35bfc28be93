/**
 * A text with numbered, highlighted lines. A number is a link to its line; with Shift, to all lines from the chosen one. Drawn
 * in chunks, of which the browser lays out those that are seen.
 */
import { memo, useEffect, useMemo, type MouseEvent } from "react";
import { useLocation, useNavigate } from "react-router";
import { text as words } from "../../text/code.ts";
import styles from "./code-lines.module.css";
import { Pieces } from "./code-text.tsx";
import type { CodeLine } from "./highlight.ts";
import { hashOf, lineRangeOf, type LineRange } from "./line-range.ts";
import { splitLines, withUnixEnds } from "./split-lines.ts";
import { useHighlighted } from "./use-highlighted.ts";

const linesPerChunk = 100;
const lineHeightRem = 1.26;

export function CodeLines({ text, name }: { text: string; name: string }) {
  const { hash } = useLocation();
  const source = useMemo(() => withUnixEnds(text), [text]);
  const chunks = useMemo(() => inChunks(splitLines(source)), [source]);
  const highlighted = useHighlighted(source, { name });
  const colored = useMemo(() => (highlighted ? inChunks(highlighted) : []), [highlighted]);
  const chosen = lineRangeOf(hash);
  useEffect(() => {
    const first = lineRangeOf(window.location.hash)?.from;
    if (first !== undefined) document.getElementById(`L${first}`)?.scrollIntoView({ block: "center" });
  }, []);
  return (
    <div className={styles.code} role="group" aria-label={words.contentOf(name)}>
      {chunks.map((lines, index) => {
        const first = index * linesPerChunk + 1;
        const part = chosen && overlap(chosen, { from: first, to: first + lines.length - 1 });
        return (
          <Chunk
            key={first}
            first={first}
            lines={lines}
            colored={colored[index]}
            chosenFrom={part?.from}
            chosenTo={part?.to}
          />
        );
      })}
    </div>
  );
}

interface ChunkProps {
  /** Number of the first line. */
  first: number;
  lines: readonly string[];
  colored: readonly CodeLine[] | undefined;
  chosenFrom: number | undefined;
  chosenTo: number | undefined;
}

const Chunk = memo(function Chunk({ first, lines, colored, chosenFrom = 0, chosenTo = -1 }: ChunkProps) {
  const navigate = useNavigate();
  const choose = (event: MouseEvent, number: number) => {
    event.preventDefault();
    const before = event.shiftKey ? lineRangeOf(window.location.hash) : undefined;
    const range = before
      ? { from: Math.min(before.from, number), to: Math.max(before.from, number) }
      : { from: number, to: number };
    const { pathname, search } = window.location;
    void navigate(`${pathname}${search}${hashOf(range)}`, { replace: true, preventScrollReset: true });
  };
  return (
    <div
      className={styles.chunk}
      style={{ containIntrinsicBlockSize: `auto ${lines.length * lineHeightRem}rem` }}
    >
      {lines.map((line, index) => {
        const number = first + index;
        const pieces = colored?.[index];
        const isChosen = number >= chosenFrom && number <= chosenTo;
        return (
          <div key={number} className={styles.line} id={`L${number}`} data-chosen={isChosen || undefined}>
            <a href={`#L${number}`} className={styles.number} onClick={(event) => choose(event, number)}>
              {number}
            </a>
            <span className={styles.text}>{pieces ? <Pieces line={pieces} /> : line}</span>
          </div>
        );
      })}
    </div>
  );
});

function overlap(one: LineRange, other: LineRange): LineRange | undefined {
  const range = { from: Math.max(one.from, other.from), to: Math.min(one.to, other.to) };
  return range.from <= range.to ? range : undefined;
}

function inChunks<T>(lines: readonly T[]): T[][] {
  const chunks: T[][] = [];
  for (let at = 0; at < lines.length; at += linesPerChunk) chunks.push(lines.slice(at, at + linesPerChunk));
  return chunks;
}
