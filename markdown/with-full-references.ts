/** Short references of a text that goes to another repository, with the name of the one that it comes from. */
import { findReferences } from "./find-references.ts";
import { blankAddresses } from "./references-of.ts";
import { visibleWords } from "./visible-words.ts";

/** Of one text. */
const maxRenamed = 500;

/** `#12` and `!34` become `OWNER/NAME#12` and `OWNER/NAME!34`, as long as the text has room. */
export function withFullReferences(
  text: string,
  { repository, maxLength }: { repository: string; maxLength: number },
): string {
  const words = visibleWords(text);
  // Signs that were written as numbers moved what is after them.
  if (words.length !== text.length) return text;
  const short = findReferences(blankAddresses(words))
    .filter(({ reference }) => isShort(reference))
    .slice(0, maxRenamed);
  const room = Math.floor((maxLength - text.length) / repository.length);
  let renamed = "";
  let from = 0;
  for (const reference of short.slice(0, Math.max(0, room))) {
    renamed += text.slice(from, reference.from) + repository;
    from = reference.from;
  }
  return renamed + text.slice(from);
}

function isShort(reference: ReturnType<typeof findReferences>[number]["reference"]): boolean {
  return (
    (reference.kind === "issue" || reference.kind === "merge_request") && reference.repository === undefined
  );
}
