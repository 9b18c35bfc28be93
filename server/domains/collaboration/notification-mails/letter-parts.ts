/** The parts of a mail's text, once as plain text and once as HTML. */
import type { Element, ElementContent } from "hast";
import { markupOf } from "./letter-markup.ts";

/** Characters of one text; what is longer goes on in the web. */
const maxTextChars = 16 * 1024;

export interface ShortText {
  text: string;
  isCut: boolean;
}

/** Up to the end of a line where there is one near the bound. */
export function shorten(text: string, maxChars = maxTextChars): ShortText {
  const shown = printable(text).trim();
  if (shown.length <= maxChars) return { text: shown, isCut: false };
  const part = shown.slice(0, maxChars).toWellFormed();
  const end = part.lastIndexOf("\n");
  return { text: part.slice(0, end > maxChars / 2 ? end : maxChars), isCut: true };
}

/** Without control characters, and without those that turn what stands behind them. */
function printable(text: string): string {
  return text.replaceAll("\r\n", "\n").replaceAll(/(?![\n\t])\p{Cc}|[\u202a-\u202e\u2066-\u2069]/gu, "");
}

export interface FooterLink {
  words: string;
  href: string;
}

/** Below the line that mail programs take for the beginning of a signature. */
export function plainFooter(why: string, links: readonly FooterLink[]): string {
  return ["-- ", why, ...links.map(({ words, href }) => `${words}: ${href}`)].join("\n");
}

export function footerMarkup(why: string, links: readonly FooterLink[]): string {
  const parts = links.flatMap(({ words, href }): ElementContent[] => [said(" · "), link(words, href)]);
  const style = "font-size: small; color: #666";
  return element("p", { style }, [said(why), ...parts]);
}

export function paragraph(children: readonly ElementContent[]): string {
  return element("p", {}, children);
}

export function said(value: string): ElementContent {
  return { type: "text", value };
}

export function link(words: string, href: string): Element {
  return { type: "element", tagName: "a", properties: { href }, children: [said(words)] };
}

function element(
  tagName: string,
  properties: Element["properties"],
  children: readonly ElementContent[],
): string {
  return markupOf({
    type: "root",
    children: [{ type: "element", tagName, properties, children: [...children] }],
  });
}
