/** One line of a log: its number, when it came, and its text with the colours that it set. */
import { memo, type CSSProperties } from "react";
import { text as words } from "../../../text/runs.ts";
import styles from "./log-line.module.css";
import { hexOf, markSpans } from "./spans.ts";
import { parseSgr, type SgrStyle, type Span } from "./sgr.ts";

export interface LogLineProps {
  /** Of the section's stream. */
  stream: string;
  /** Without its newline. */
  raw: string;
  before: SgrStyle;
  /** From 1. */
  number: number;
  href: string;
  /** Tab comes to it. */
  isStop: boolean;
  /** Null: not shown. */
  time: string | null;
  /** To be marked, in lower case; empty for none. */
  search: string;
  mark: "target" | "found" | undefined;
}

/** More of a line than this makes scrolling slow; the raw log has it all. */
const maxShownLength = 4_000;

export const LogLine = memo(function LogLine(props: LogLineProps) {
  const { raw, before, time, search, mark } = props;
  // What a program has written over by a carriage return is not seen on a terminal either.
  const seen = raw.replace(/\r+$/, "");
  const shown = seen.slice(seen.lastIndexOf("\r") + 1);
  const { spans } = parseSgr(shown.slice(0, maxShownLength), before);
  return (
    <div className={styles.line} data-mark={mark}>
      <LineNumber {...props} className={styles.number} />
      {time === null ? null : <span className={styles.time}>{time}</span>}
      <span className={styles.text}>
        {markSpans(spans, search).map((span, index) => (
          <Piece key={index} span={span} isFound={span.isFound} />
        ))}
        {shown.length > maxShownLength ? (
          <span className={styles.cut}>{words.lineCut(shown.length - maxShownLength)}</span>
        ) : null}
      </span>
    </div>
  );
});

export interface LineNumberProps extends Pick<LogLineProps, "stream" | "number" | "href" | "isStop"> {
  className: string | undefined;
}

export function LineNumber({ stream, number, href, isStop, className }: LineNumberProps) {
  return (
    <a
      className={className}
      href={href}
      data-stream={stream}
      data-line={number - 1}
      tabIndex={isStop ? 0 : -1}
      aria-label={words.toLine(number)}
    >
      {number}
    </a>
  );
}

function Piece({ span: { text, style }, isFound }: { span: Span; isFound: boolean }) {
  const [colour, ground] = style.inverse
    ? [style.ground ?? "paper", style.colour ?? "ink"]
    : [style.colour, style.ground];
  const classes = [
    typeof colour === "number" && colour < 16 ? styles[`c${colour}`] : undefined,
    colour === "paper" ? styles.paper : undefined,
    ground === "ink" ? styles.ink : undefined,
    typeof ground === "number" && ground < 16 ? styles[`g${ground}`] : undefined,
    hexOf(colour) ? styles.own : undefined,
    hexOf(ground) ? styles.ownGround : undefined,
    style.bold ? styles.bold : undefined,
    style.faint ? styles.faint : undefined,
    style.italic ? styles.italic : undefined,
    style.underlined ? styles.underlined : undefined,
    style.struck ? styles.struck : undefined,
  ].filter((name) => name !== undefined);
  const Tag = isFound ? "mark" : "span";
  if (classes.length === 0) return isFound ? <mark>{text}</mark> : text;
  const own = { "--colour": hexOf(colour), "--ground": hexOf(ground) } as CSSProperties;
  return (
    <Tag className={classes.join(" ")} style={own}>
      {text}
    </Tag>
  );
}
