/** The name of a file as its uploader's computer has it, made harmless for pages, headers and other computers. */
import { maxFileNameChars } from "@forgeline/schemas/attachments/resource.ts";

/** Control characters, and what turns, hides or is not seen; the joiners that languages and emoji need stay. */
const hidden =
  // oxlint-disable-next-line no-control-regex -- they are what is taken away
  /[\u034f\u0000-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\u{e0000}-\u{e0fff}]/gu;

/** Its last part, without what hides or turns text; `file` where nothing is left. */
export function plainFileName(given: string): string {
  const last = given.toWellFormed().split(/[/\\]/).at(-1) ?? "";
  const plain = last.replaceAll(hidden, "").trim();
  // Not within a character.
  const short = plain.slice(0, maxFileNameChars).replace(/[\ud800-\udbff]$/, "");
  return /^\.*$/.test(short) ? "file" : short;
}
