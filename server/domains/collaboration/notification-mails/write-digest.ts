/** Several events as one mail, by conversation. */
import type { Addresses } from "../../../platform/addresses.ts";
import { digestSubject } from "./compose-mails.ts";
import { automaticHeaders } from "./letter-headers.ts";
import { footerMarkup, link, paragraph, plainFooter, said, shorten } from "./letter-parts.ts";
import type { LetterRow } from "./letters.store.ts";
import { subjectOf } from "./plain-line.ts";
import { happeningOf, hasText } from "./sayings.ts";
import { itemPage, settingsPage, type Letter } from "./write-letter.ts";

/** Of each text; all of it is in the web. */
const excerptChars = 500;

export function writeDigest(
  rows: readonly LetterRow[],
  { addresses, unsubscribeUrl }: { addresses: Addresses; unsubscribeUrl: string },
): Letter {
  const items = [...Map.groupBy(rows, ({ work_item_id: itemId }) => itemId).values()];
  const why = "You get it because you chose digests or quiet hours.";
  const links = [
    { words: "Your inbox", href: `${addresses.webUrl}/notifications` },
    { words: "Get no more mails", href: unsubscribeUrl },
    { words: "Your settings", href: settingsPage(addresses) },
  ];
  return {
    subject: digestSubject(rows.length),
    headers: automaticHeaders("digest", unsubscribeUrl),
    text: [...items.map((item) => plainItem(item, addresses)), plainFooter(why, links)].join("\n\n"),
    html: [...items.map((item) => itemMarkup(item, addresses)), "<hr>", footerMarkup(why, links)].join("\n"),
  };
}

function plainItem(rows: readonly LetterRow[], addresses: Addresses): string {
  const [first] = rows;
  if (!first) return "";
  const lines = rows.flatMap((row) => [`* ${sentenceOf(row)}`, ...excerptOf(row).map((line) => `  ${line}`)]);
  return [subjectOf(first), itemPage(first, addresses), ...lines].join("\n");
}

function itemMarkup(rows: readonly LetterRow[], addresses: Addresses): string {
  const [first] = rows;
  if (!first) return "";
  const happened = rows.map((row) => {
    const excerpt = excerptOf(row).join("\n");
    const told = [said(sentenceOf(row)), ...(excerpt === "" ? [] : [said(` ${excerpt}`)])];
    return paragraph(told);
  });
  return [paragraph([link(subjectOf(first), itemPage(first, addresses))]), ...happened].join("\n");
}

function sentenceOf(row: LetterRow): string {
  return `${happeningOf(row)}${excerptOf(row).length === 0 ? "." : ":"}`;
}

/** As it was written, by lines. */
function excerptOf(row: LetterRow): string[] {
  if (!hasText(row)) return [];
  const { text, isCut } = shorten(row.body, excerptChars);
  return text === "" ? [] : `${text}${isCut ? " …" : ""}`.split("\n");
}
