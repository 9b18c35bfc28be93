/** Texts of others as one line of a mail's head: nothing that ends the line, turns what stands beside it, or is not seen. */

const maxChars = 200;
const hidden = /[\p{Cf}\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0]/gu;

export function plainLine(text: string): string {
  const shown = text
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, " ")
    .replaceAll(hidden, "")
    .replaceAll(/\s+/gu, " ")
    .trim();
  return shown.length > maxChars ? `${shown.slice(0, maxChars - 1).toWellFormed()}…` : shown;
}

/** For the name before an address: what looks like an address itself would mislead. */
export function plainName(text: string): string {
  return plainLine(text.replaceAll(/[@<>"\\(),;:[\]]/gu, " "));
}

/** `[owner/name] Title (#12)`. */
export function subjectOf(item: {
  owner: string | null;
  name: string | null;
  kind: string;
  number: number;
  title: string;
}): string {
  const mark = item.kind === "issue" ? "#" : "!";
  return `[${item.owner ?? ""}/${item.name ?? ""}] ${plainLine(item.title)} (${mark}${item.number})`;
}
