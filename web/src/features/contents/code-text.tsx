/** Source text within a block of code. */
import { Fragment } from "react";
import "./highlight.css";
import type { CodeLine } from "./code-line.ts";
import { SourceLines, SourceText } from "./source-text.tsx";
import { useHighlighted } from "./use-highlighted.ts";

export function CodeText({ text, language }: { text: string; language: string }) {
  const lines = useHighlighted(text, { language });
  if (!lines) return <SourceLines text={text} />;
  return lines.map((line, index) => (
    <Fragment key={index}>
      <HighlightedText line={line} />
      {index === lines.length - 1 ? "" : "\n"}
    </Fragment>
  ));
}

export function HighlightedText({ line }: { line: CodeLine }) {
  return line.map(({ text, className }, index) =>
    className === "" ? (
      <SourceText key={index} text={text} />
    ) : (
      <span key={index} className={className}>
        <SourceText text={text} />
      </span>
    ),
  );
}
