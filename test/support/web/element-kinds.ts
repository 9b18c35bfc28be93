/**
 * Elements of a page by kind. Those of one kind have the same classes, states and colors in light, so that what holds of one in the other
 * scheme, or while it has the focus, holds of all. What was found good once is not looked at again on each further page.
 */
import type { Page } from "playwright-core";
import { isFull } from "../size.ts";

/** What can be used, and what has an own text. */
export type Aspect = "use" | "text";

export interface NewKinds {
  /** How many elements of the page are of kinds that nobody has looked at; `elementsOf` in the page has them. */
  count(aspect: Aspect): number;
  /** Somebody has looked at the page of this address, and nothing of a new kind has come to it. */
  isKnownPage: boolean;
  /** From now on these kinds are known. At full size none ever is. */
  remember(): void;
}

/** In the page: elements of new kinds, as `findNewKinds` left them. */
export const elementsOf = (aspect: Aspect): string => `globalThis.newKinds.${aspect}`;

/** As a selector: what can be used with a keyboard. */
export const usable = [
  "a[href], button, input, select, textarea, summary, [tabindex], [contenteditable=true]",
  ...["button", "link", "checkbox", "radio", "switch", "tab", "option", "menuitem", "combobox", "slider"].map(
    (role) => `[role=${role}]`,
  ),
].join(", ");

const known = new Set<string>();

/** Looks which elements of the page are of kinds that no page of this process had when somebody looked at it. */
export async function findNewKinds(page: Page): Promise<NewKinds> {
  const found: Record<Aspect, string[]> = await page.evaluate(collect);
  const all = [`page ${new URL(page.url()).pathname}`, ...found.use, ...found.text];
  const fresh = all.filter((kind) => !known.has(kind));
  const counts = await page.evaluate<Record<Aspect, number>>(`(${keep})(${JSON.stringify(fresh)})`);
  return {
    count: (aspect) => counts[aspect],
    isKnownPage: fresh.length === 0,
    remember() {
      if (!isFull) for (const kind of all) known.add(kind);
    },
  };
}

const collect = `(() => {
  const states = ["aria-current", "aria-selected", "aria-pressed", "aria-expanded", "aria-invalid", "aria-disabled", "aria-busy", "role", "type", "tabindex", "contenteditable"];
  const isColoring = ({ name }) => name.startsWith("data-") && !["data-id", "data-key", "data-title"].includes(name);
  const shape = (element) => !element ? "" : [
    element.localName,
    element.getAttribute("class") ?? "",
    element.matches(":disabled"),
    ...states.map((name) => element.getAttribute(name) ?? ""),
    ...[...element.attributes].filter(isColoring).map(({ name, value }) => name + "=" + value.slice(0, 24)),
  ].join(" ");
  const grounds = new Map();
  const ground = (element) => {
    if (!element) return "";
    if (!grounds.has(element)) {
      const { backgroundColor, backgroundImage, opacity } = getComputedStyle(element);
      const isClear = backgroundColor === "rgba(0, 0, 0, 0)" && backgroundImage === "none" && opacity === "1";
      const under = ground(element.parentElement);
      grounds.set(element, isClear ? under : [element.localName, element.getAttribute("class"), backgroundColor, opacity].join(" "));
    }
    return grounds.get(element);
  };
  const colors = (element) => {
    const { color, fontSize, fontWeight, textDecorationLine } = getComputedStyle(element);
    return [color, fontSize, fontWeight, textDecorationLine].join(" ");
  };
  const hasText = (element) => element.matches("input, textarea, select") || [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== "");
  const around = (element) => [element, element.parentElement, element.parentElement?.parentElement, element.nextElementSibling].map(shape).join(" < ");
  const kinds = { use: new Map(), text: new Map() };
  const add = (aspect, kind, element) => {
    const elements = kinds[aspect].get(kind);
    if (elements) elements.push(element);
    else kinds[aspect].set(kind, [element]);
  };
  // Of what is hidden or covered nothing is found out.
  const within = [...document.querySelectorAll("dialog:modal")].at(-1) ?? document.body;
  for (const element of within.querySelectorAll("*")) {
    if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    if (element.matches(${JSON.stringify(usable)})) add("use", "use " + around(element) + " on " + ground(element), element);
    if (hasText(element)) add("text", ["text", shape(element), colors(element), colors(element.parentElement), ground(element)].join(" | "), element);
  }
  globalThis.newKinds = { kinds };
  return { use: [...kinds.use.keys()], text: [...kinds.text.keys()] };
})()`;

const keep = `(fresh) => {
  const { kinds } = globalThis.newKinds;
  const wanted = new Set(fresh);
  const of = (aspect) => [...kinds[aspect]].filter(([kind]) => wanted.has(kind)).flatMap(([, elements]) => elements);
  globalThis.newKinds = { use: of("use"), text: of("text") };
  return { use: newKinds.use.length, text: newKinds.text.length };
}`;
