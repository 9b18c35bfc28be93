/** A dialog that shows something once: whatever else puts a dialog away leaves this one, until its own button does. */
import { expect } from "vitest";
import type { Page } from "playwright-core";

const twoFrames = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))";

export async function tryToDismiss(page: Page): Promise<void> {
  const expectToStay = async () => {
    await page.evaluate(twoFrames);
    expect(await page.getByRole("dialog").isVisible()).toBe(true);
  };
  // Chromium asks the page at the first Escape only, and closes the dialog by itself at the next.
  for (let times = 0; times < 3; times += 1) {
    await page.keyboard.press("Escape");
    await expectToStay();
  }
  await page.mouse.click(2, 2);
  await expectToStay();
}
