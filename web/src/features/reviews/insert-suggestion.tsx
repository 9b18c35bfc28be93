/** A button that puts the lines that a comment is about into its text, to be changed there. */
import { FileDiff } from "lucide-react";
import { text } from "../../text/reviews.ts";
import { IconButton } from "../../ui/button.tsx";
import { showProblem } from "../../ui/toasts.tsx";
import { splitLines, withUnixEnds } from "../contents/split-lines.ts";
import { rawAddress } from "../repositories/addresses.ts";
import { useRepository } from "../repositories/use-repository.ts";
import type { LineRange } from "./line-range.ts";
import { withSuggestion } from "./suggestion-text.ts";

interface InsertSuggestionProps {
  /** Of the new side. */
  range: LineRange;
  /** The commit whose lines were counted. */
  sha: string;
  value: string;
  onChange: (value: string) => void;
}

export function InsertSuggestion({ range, sha, value, onChange }: InsertSuggestionProps) {
  const address = rawAddress(useRepository(), sha, range.path);
  const insert = async () => {
    const lines = await fetchLines(address);
    onChange(withSuggestion(value, lines.slice(range.start - 1, range.end)));
  };
  return (
    <IconButton label={text.insertSuggestion} onClick={() => void insert().catch(showProblem)}>
      <FileDiff aria-hidden />
    </IconButton>
  );
}

async function fetchLines(address: string): Promise<string[]> {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(text.noLines);
  return splitLines(withUnixEnds(await answer.text()));
}
