/** A text in Markdown as the HTML of a mail: nothing in it is loaded from anywhere, and no address depends on a page around it. */
import type { Element, ElementContent, Root } from "hast";
import { toHtml } from "hast-util-to-html";
import { parse } from "@forgeline/markdown/parse.ts";
import type { Parent } from "@forgeline/markdown/walk.ts";

export interface LetterPlace {
  /** `owner/name`. */
  repository: string;
  /** Of this instance. */
  webUrl: string;
}

const loaded = ["src", "srcSet", "longDesc", "background", "cite", "poster"] as const;

export function letterMarkup(text: string, { repository, webUrl }: LetterPlace): string {
  const { root } = parse(text, { repository, instance: webUrl, references: true });
  const change = (parent: Parent, isInLink: boolean): void => {
    parent.children = (parent.children as ElementContent[]).map((child) => {
      if (child.type !== "element") return child;
      const shown = shownAs(child, { isInLink, base: `${webUrl}/${repository}/` });
      if (shown.type === "element") change(shown, isInLink || shown.tagName === "a");
      return shown;
    });
  };
  change(root, false);
  return markupOf(root);
}

/** As `letterMarkup`, and remembers the last texts: many people get the same one, and reading it can take a second. */
export function createLetterMarkup(max = 50): typeof letterMarkup {
  const known = new Map<string, string>();
  return (text, place) => {
    const key = `${place.webUrl} ${place.repository} ${text}`;
    const markup = known.get(key) ?? letterMarkup(text, place);
    // The one that was used longest ago is the first.
    known.delete(key);
    known.set(key, markup);
    if (known.size > max) known.delete(known.keys().next().value ?? "");
    return markup;
  };
}

/** Attributes and texts are escaped by the library. */
export function markupOf(tree: Root): string {
  return toHtml(tree, { allowDangerousHtml: false });
}

function shownAs(element: Element, place: { isInLink: boolean; base: string }): ElementContent {
  if (element.tagName === "img") return pictureLink(element, place);
  if (element.tagName === "input")
    return { type: "text", value: element.properties["checked"] ? "[x]" : "[ ]" };
  for (const name of loaded) delete element.properties[name];
  if (element.tagName === "a") {
    const address = addressOf(element.properties["href"], place.base);
    if (address === undefined) delete element.properties["href"];
    else element.properties["href"] = address;
  }
  return element;
}

/** Whoever serves a picture would learn who reads, and when. */
function pictureLink({ properties }: Element, place: { isInLink: boolean; base: string }): ElementContent {
  const alt = typeof properties["alt"] === "string" ? properties["alt"].trim() : "";
  const words = { type: "text" as const, value: `[Picture${alt === "" ? "" : `: ${alt}`}]` };
  const address = addressOf(properties["src"], place.base);
  if (place.isInLink || address === undefined) return words;
  return { type: "element", tagName: "a", properties: { href: address }, children: [words] };
}

const schemes: ReadonlySet<string> = new Set(["http:", "https:", "mailto:"]);

/** Undefined for what leads nowhere from a mail. */
function addressOf(written: unknown, base: string): string | undefined {
  if (typeof written !== "string" || written === "" || written.startsWith("#")) return undefined;
  const url = URL.parse(written, base);
  return url && schemes.has(url.protocol) ? url.href : undefined;
}
