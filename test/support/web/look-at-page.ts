/** What holds of every page: nothing went wrong in it, axe finds nothing, it fits a phone, and a keyboard gets everywhere. */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { expect } from "vitest";
import type { Page } from "playwright-core";
import { elementsOf, findNewKinds } from "./element-kinds.ts";
import { tabFindings } from "./tab-through-page.ts";
import type { Visitor } from "./visitor.ts";

const axeSource = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Colors of the other scheme are there with the next frame but one, and some get there by a transition. */
const atRest = `(async () => {
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  await Promise.allSettled(document.getAnimations().map((animation) => animation.finished));
})()`;

/** Looks at the page that `visitor` has open, in both schemes and at 360 px. */
export async function lookAtPage(visitor: Visitor): Promise<void> {
  const { page } = visitor;
  await changeScheme(page, "light");
  await page.evaluate(atRest);
  const kinds = await findNewKinds(page);
  const hasNewTexts = kinds.count("text") > 0;
  if (!kinds.isKnownPage) await expectNoFindings(page, { scheme: "light", hasNewTexts, isStructure: true });
  if (hasNewTexts) {
    await changeScheme(page, "dark");
    await expectNoFindings(page, { scheme: "dark", hasNewTexts });
    await changeScheme(page, "light");
  }
  expect(await tabFindings(page, kinds), `Tab on ${page.url()}`).toEqual([]);
  const size = page.viewportSize() ?? { width: 1280, height: 900 };
  await page.setViewportSize({ width: 360, height: 740 });
  // Sizes are the new ones before rules for them hold.
  await page.waitForFunction(`matchMedia("(max-width: 360px)").matches`);
  await expect
    .poll(() => widerThanTheWindow(page), { message: `${page.url()} at 360 px`, timeout: 5_000 })
    .toEqual([]);
  await page.setViewportSize(size);
  expect(visitor.troubles, `${page.url()}: ${visitor.troubles.join("; ")}`).toEqual([]);
  kinds.remember();
}

interface Look {
  scheme: "light" | "dark";
  /** Texts of kinds that nobody has looked at are held against their ground. */
  hasNewTexts: boolean;
  /** All rules but those of colors, of the whole page. */
  isStructure?: boolean;
}

/**
 * Of axe, once colors are at rest: on a busy machine some elements get those of a scheme later than others, and a button that
 * was busy gets its own back by a transition that begins later.
 */
async function expectNoFindings(page: Page, look: Look): Promise<void> {
  await expect
    .poll(() => axeFindings(page, look), { message: `${page.url()} in ${look.scheme}`, timeout: 5_000 })
    .toEqual([]);
}

async function changeScheme(page: Page, colorScheme: "light" | "dark"): Promise<void> {
  const holds = `matchMedia("(prefers-color-scheme: ${colorScheme})").matches`;
  if (await page.evaluate(holds)) return;
  await page.emulateMedia({ colorScheme });
  // The page learns of it a little later.
  await page.waitForFunction(holds);
}

/** What another scheme can change; all else is the same in both. */
const rulesOfColors = ["color-contrast", "link-in-text-block"];

/** By rules of WCAG 2.2 A and AA and best practices. */
async function axeFindings(page: Page, { hasNewTexts, isStructure = false }: Look): Promise<string[]> {
  const hasAxe = await page.evaluate(`"axe" in globalThis`);
  if (!hasAxe) await page.evaluate(axeSource);
  await page.evaluate(atRest);
  return page.evaluate<string[]>(`(async () => {
    // What passes is not described, and no style sheet is loaded once more: nothing reads either.
    // Frames have no origin, so nothing in them can be asked.
    const options = { resultTypes: ["violations"], preload: { assets: ["media"] }, iframes: false };
    const colors = ${JSON.stringify(rulesOfColors)};
    const without = Object.fromEntries(colors.map((rule) => [rule, { enabled: false }]));
    const results = [];
    if (${isStructure}) results.push(await axe.run({ ...options, rules: without }));
    const include = ${elementsOf("text")}.filter((element) => element.isConnected);
    if (${hasNewTexts} && include.length > 0) results.push(await axe.run({ include }, { ...options, runOnly: colors }));
    return results.flatMap(({ violations }) => violations).map(({ id, help, nodes }) =>
      id + ": " + help + ": " + nodes.map(({ html }) => html.slice(0, 160)).join(" | "));
  })()`);
}

/** Elements that make the page as a whole wider than its window; what scrolls within itself does not. */
function widerThanTheWindow(page: Page): Promise<string[]> {
  return page.evaluate(`(() => {
    if (document.documentElement.scrollWidth <= innerWidth) return [];
    const isScrolled = (element) => {
      for (let at = element.parentElement; at && at !== document.body; at = at.parentElement)
        if (getComputedStyle(at).overflowX !== "visible") return true;
      return false;
    };
    return [...document.querySelectorAll("body *")]
      .filter((element) => element.getBoundingClientRect().right > innerWidth + 1 && !isScrolled(element))
      .map((element) => element.outerHTML.slice(0, 140))
      .slice(0, 8);
  })()`);
}
