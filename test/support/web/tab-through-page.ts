/**
 * The keyboard on a page: Tab comes to everything that can be used, is seen where it is, and comes to the page's end. What a
 * dialog covers is left out; of a composite (`data-roving`, radio buttons, …) Tab comes to a part, and arrow keys to the others.
 */
import type { Page } from "playwright-core";
import { elementsOf, usable, type NewKinds } from "./element-kinds.ts";

/** More stops than this make a page a burden to who uses a keyboard. */
const maxStops = 250;
/** Keys that are sent before the page is asked where it is. */
const tabsAtOnce = 25;

/**
 * What a keyboard does not get to, or does not show. Leaves focus and scrolling as they were. With `kinds`, keys are pressed only on
 * the part of the page that has elements of new kinds; of all others is said whether Tab could come to them.
 */
export async function tabFindings(page: Page, kinds?: NewKinds): Promise<string[]> {
  // A menu closes where Tab is pressed; arrow keys lead through it.
  if ((await page.locator("[role=menu]:visible").count()) > 0) return [];
  const part = kinds ? elementsOf("use") : "undefined";
  const stops = await page.evaluate<number>(`(${begin})(${part})`);
  for (let sent = 0; stops > 0 && sent < maxStops; sent += tabsAtOnce) {
    const keys = Math.min(tabsAtOnce, Math.max(stops - sent, 1));
    await Promise.all(Array.from({ length: keys }, () => page.keyboard.press("Tab")));
    if (await page.evaluate("tabWalk.isOver()")) break;
  }
  return page.evaluate("tabWalk.end()");
}

/** Answers with the number of presses that lead through the part, at most; 0 where it holds nothing to press keys for. */
const begin = `(part) => {
  const usable = ${JSON.stringify(usable)};
  const composites = "[data-roving], [role=radiogroup], [role=tablist], [role=listbox], [role=menu], [role=toolbar], [role=grid], [role=tree]";
  const dialogs = [...document.querySelectorAll("dialog:modal")];
  const within = dialogs.at(-1) ?? document.body;
  const before = { focus: document.activeElement, x: scrollX, y: scrollY };
  const isUsable = (element) =>
    !element.matches(":disabled, [type=hidden], [aria-disabled=true]") && !element.closest("[inert], [aria-hidden=true]") &&
    !(element.matches("[tabindex='-1']") && !element.matches("a[href], button, input, select, textarea, [role]")) &&
    element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && element.getClientRects().length > 0;
  const looks = (element) => [element, element.parentElement, element.parentElement?.parentElement, element.nextElementSibling]
    .filter(Boolean)
    .map((one) => { const style = getComputedStyle(one); return [style.outline, style.boxShadow, style.borderColor, style.backgroundColor, style.textDecoration].join("; "); })
    .join(" | ");
  const stops = new Map();
  // What comes while Tab is pressed, as a message that something was saved or a button that is no longer busy, may come before where Tab is.
  const present = new Set([...within.querySelectorAll(usable)].filter(isUsable));
  const post = (tabIndex) => {
    const element = document.createElement("span");
    element.tabIndex = tabIndex;
    return element;
  };
  // Tab beyond the page's end is the browser's: what it does comes when it likes.
  const [start, goal] = [post(-1), post(0)];
  within.prepend(start);
  within.append(goal);
  const candidates = [...within.querySelectorAll(usable)].filter((element) => present.has(element));
  const wanted = part && new Set(part);
  const first = wanted ? candidates.findIndex((element) => wanted.has(element)) : 0;
  const last = wanted ? candidates.findLastIndex((element) => wanted.has(element)) : candidates.length - 1;
  const walked = new Set(candidates.slice(Math.max(first, 0), last + 1));
  const isTabbed = (element) => element.tabIndex >= 0 || (element.isContentEditable && !element.hasAttribute("tabindex"));
  const from = candidates.slice(0, Math.max(first, 0)).findLast((element) => isTabbed(element) && !element.matches("[type=radio]")) ?? start;
  const beyond = wanted ? new Set(candidates.slice(last + 1)) : new Set();
  let isOver = walked.size === 0;
  goal.addEventListener("keydown", (event) => event.preventDefault());
  const name = (element) => element.outerHTML.replace(/\\s+/g, " ").slice(0, 140);
  const onFocus = ({ target }) => {
    if (target === goal || beyond.has(target)) isOver = true;
    if (target === start || target === goal || beyond.has(target) || stops.has(target)) return;
    const { width, height } = target.getBoundingClientRect();
    stops.set(target, { looks: looks(target), isThere: width > 1 && height > 1 });
  };
  if (!isOver) from.focus({ preventScroll: true });
  addEventListener("focusin", onFocus, true);
  const isReached = (element) => {
    if (stops.has(element)) return true;
    if (!walked.has(element) && (isTabbed(element) || element.matches("[type=radio]"))) return true;
    if (element.matches("[type=radio]"))
      return [...stops.keys()].some((stop) => stop.matches?.("[type=radio]") && stop.name === element.name);
    const composite = element.tabIndex < 0 && element.parentElement?.closest(composites);
    const isStop = (stop) => stop !== composite && composite.contains(stop) && (stops.has(stop) || (!walked.has(stop) && isTabbed(stop)));
    return Boolean(composite) && candidates.some(isStop);
  };
  globalThis.tabWalk = {
    isOver: () => isOver,
    end() {
      removeEventListener("focusin", onFocus, true);
      document.activeElement?.blur();
      const unseen = [...stops]
        .filter(([element]) => element.isConnected && element !== document.body)
        .filter(([element, then]) => !then.isThere || then.looks === looks(element))
        .map(([element]) => "focus is not seen: " + name(element));
      const unreached = [...within.querySelectorAll(usable)]
        .filter((element) => present.has(element) && isUsable(element) && !isReached(element))
        .map((element) => "Tab does not reach: " + name(element));
      start.remove();
      goal.remove();
      before.focus?.focus?.({ preventScroll: true });
      scrollTo(before.x, before.y);
      const last = [...stops.keys()].at(-1) ?? document.body;
      return [...(isOver ? [] : ["Tab does not come to the end, but to: " + name(last)]), ...unseen, ...unreached];
    },
  };
  return walked.size && [...walked].filter(isTabbed).length + 1;
}`;
