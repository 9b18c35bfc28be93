/**
 * A text with numbered, highlighted lines. A number is a link to its line; with Shift, to all lines from the chosen one. Drawn
 * in chunks, of which the browser lays out those that are seen.
 */
import { Fragment, memo, useEffect, useId, useMemo, type ReactNode } from "react";
import { useLocation } from "react-router";
import { text as words } from "../../text/contents.ts";
import styles from "./code-lines.module.css";
import { HighlightedText } from "./code-text.tsx";
import type { CodeLine } from "./highlight.ts";
import { lineRangeOf, type LineRange } from "./line-range.ts";
import { SourceText } from "./source-text.tsx";
import { splitLines, withUnixEnds } from "./split-lines.ts";
import { useHighlighted } from "./use-highlighted.ts";
import { useLineKeys, type LineKeys } from "./use-line-keys.ts";

const linesPerChunk = 100;
const lineHeightRem = 1.26;

export interface CodeLinesProps {
  text: string;
  name: string;
  /** What is shown below a line, by its number. */
  notes: ReadonlyMap<number, ReactNode>;
}

export function CodeLines({ text, name, notes }: CodeLinesProps) {
  const { hash } = useLocation();
  const source = useMemo(() => withUnixEnds(text), [text]);
  const lines = useMemo(() => splitLines(source), [source]);
  const chunks = useMemo(() => inChunks(lines), [lines]);
  const highlighted = useHighlighted(source, { name });
  const colored = useMemo(() => (highlighted ? inChunks(highlighted) : []), [highlighted]);
  const { stop, chosen, handlers } = useLineKeys(lines.length, hash);
  const hintId = useId();
  useEffect(() => {
    const first = lineRangeOf(window.location.hash)?.from;
    if (first !== undefined) document.getElementById(`L${first}`)?.scrollIntoView({ block: "center" });
  }, []);
  return (
    <div
      className={styles.code}
      role="group"
      aria-label={words.contentOf(name)}
      aria-describedby={hintId}
      data-roving
    >
      <p id={hintId} className="visually-hidden">
        {words.lineKeys}
      </p>
      {chunks.map((part, index) => {
        const first = index * linesPerChunk + 1;
        const here = { from: first, to: first + part.length - 1 };
        const chosenHere = chosen && overlap(chosen, here);
        return (
          <Chunk
            key={first}
            first={first}
            lines={part}
            colored={colored[index]}
            chosenFrom={chosenHere?.from}
            chosenTo={chosenHere?.to}
            stop={overlap(here, { from: stop, to: stop })?.from}
            notes={notes}
            {...handlers}
          />
        );
      })}
    </div>
  );
}

type Handlers = LineKeys["handlers"];

interface ChunkProps extends Handlers {
  /** Number of the first line. */
  first: number;
  lines: readonly string[];
  colored: readonly CodeLine[] | undefined;
  chosenFrom: number | undefined;
  chosenTo: number | undefined;
  /** Where it is among these lines. */
  stop: number | undefined;
  notes: CodeLinesProps["notes"];
}

const Chunk = memo(function Chunk(props: ChunkProps) {
  const { first, lines, colored, chosenFrom = 0, chosenTo = -1, stop, notes, ...handlers } = props;
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
          <Fragment key={number}>
            <div className={styles.line} id={`L${number}`} data-chosen={isChosen || undefined}>
              <a
                href={`#L${number}`}
                className={styles.number}
                data-line={number}
                tabIndex={number === stop ? 0 : -1}
                {...handlers}
              >
                {number}
              </a>
              <span className={styles.text}>
                {pieces ? <HighlightedText line={pieces} /> : <SourceText text={line} />}
              </span>
            </div>
            {notes.get(number)}
          </Fragment>
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
