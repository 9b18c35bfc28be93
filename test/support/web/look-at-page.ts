/** What holds of every page: nothing went wrong in it, axe finds nothing, it fits a phone, and a keyboard gets everywhere. */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { expect } from "vitest";
import type { Page } from "playwright-core";
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
  await expectNoFindings(page, "light");
  await expectNoFindings(page, "dark", rulesOfColors);
  await page.emulateMedia({ colorScheme: "light" });
  expect(await tabFindings(page), `Tab on ${page.url()}`).toEqual([]);
  const size = page.viewportSize() ?? { width: 1280, height: 900 };
  await page.setViewportSize({ width: 360, height: 740 });
  // Sizes are the new ones before rules for them hold.
  await page.waitForFunction(`matchMedia("(max-width: 360px)").matches`);
  await expect
    .poll(() => widerThanTheWindow(page), { message: `${page.url()} at 360 px`, timeout: 5_000 })
    .toEqual([]);
  await page.setViewportSize(size);
  expect(visitor.troubles, `${page.url()}: ${visitor.troubles.join("; ")}`).toEqual([]);
}

/**
 * Of axe, once colors are at rest: on a busy machine some elements get those of a scheme later than others, and a button that
 * was busy gets its own back by a transition that begins later.
 */
async function expectNoFindings(
  page: Page,
  scheme: "light" | "dark",
  rules?: readonly string[],
): Promise<void> {
  await changeScheme(page, scheme);
  await expect
    .poll(() => axeFindings(page, rules), { message: `${page.url()} in ${scheme}`, timeout: 5_000 })
    .toEqual([]);
}

async function changeScheme(page: Page, colorScheme: "light" | "dark"): Promise<void> {
  await page.emulateMedia({ colorScheme });
  // The page learns of it a little later.
  await page.waitForFunction(`matchMedia("(prefers-color-scheme: ${colorScheme})").matches`);
}

/** What another scheme can change; all else is the same in both. */
const rulesOfColors = ["color-contrast", "link-in-text-block"];

/** Rules of WCAG 2.2 A and AA and best practices, or those that are named. */
async function axeFindings(page: Page, rules?: readonly string[]): Promise<string[]> {
  const hasAxe = await page.evaluate(`"axe" in globalThis`);
  if (!hasAxe) await page.evaluate(axeSource);
  await page.evaluate(atRest);
  return page.evaluate(async (runOnly) => {
    // oxlint-disable-next-line typescript/no-explicit-any -- put there by the line above
    const { axe } = globalThis as any;
    // What passes is not described, and no style sheet is loaded once more: nothing reads either.
    const result = await axe.run({
      resultTypes: ["violations"],
      preload: { assets: ["media"] },
      ...(runOnly ? { runOnly } : {}),
    });
    return result.violations.map(
      (violation: { id: string; help: string; nodes: { html: string }[] }) =>
        `${violation.id}: ${violation.help}: ${violation.nodes.map((node) => node.html.slice(0, 160)).join(" | ")}`,
    );
  }, rules);
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
