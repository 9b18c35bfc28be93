/** Texts of another host as they are kept here: names there mention nobody here, and numbers lead to what they meant. Pure. */
import { maxBodyChars, maxTitleChars } from "@forgeline/schemas/work-items/resource.ts";
import { storableText } from "../../../platform/storable-text.ts";

// Code is left as it is: fenced, or between backticks.
const code = /(```[^]*?(?:```|$)|~~~[^]*?(?:~~~|$)|`[^`\n]*`)/;
const mention = /(^|[^\w`/@.[-])@([A-Za-z0-9_](?:[A-Za-z0-9._/-]*[A-Za-z0-9_])?)/g;
const mergeRequest = /(^|[\s(,;:])!(\d{1,9})\b/g;

export interface ImportedText {
  text: string;
  isCut: boolean;
}

/** `offset`: what is added to the numbers of merge requests. */
export function importedText(body: string, offset: number): ImportedText {
  const parts = storableText(body).split(code);
  const text = parts.map((part, index) => (index % 2 === 1 ? part : rewritten(part, offset))).join("");
  // Half of a pair would be no text.
  return text.length <= maxBodyChars
    ? { text, isCut: false }
    : { text: text.slice(0, maxBodyChars).toWellFormed().replaceAll("\uFFFD", ""), isCut: true };
}

function rewritten(part: string, offset: number): string {
  const unmentioned = part.replaceAll(mention, "$1`@$2`");
  if (offset === 0) return unmentioned;
  return unmentioned.replaceAll(
    mergeRequest,
    (_all, before: string, number: string) => `${before}!${Number(number) + offset}`,
  );
}

// What would hide or turn the text beside it, and control characters.
const unseen = /[\p{Cc}\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]+/gu;

/** One line, never empty. */
export function importedTitle(title: string): string {
  const plain = shortText(title, maxTitleChars);
  return plain === "" ? "(without a title)" : plain;
}

/** One line of at most so many characters. */
export function shortText(text: string, maxChars: number): string {
  const plain = storableText(text).replaceAll(unseen, " ").trim();
  return plain.slice(0, maxChars).toWellFormed().replaceAll("\uFFFD", "").trim();
}
