/** Pages that tests have open, so that a test that fails can tell what stood on them. */
import type { Page } from "playwright-core";

const open = new Map<Page, { troubles: readonly string[] }>();

export function rememberPage(page: Page, troubles: readonly string[]): void {
  open.set(page, { troubles });
  page.once("close", () => open.delete(page));
}

/** Address, text and troubles of each; nothing without pages. */
export async function describeOpenPages(): Promise<string[]> {
  return Promise.all(
    [...open].map(async ([page, { troubles }]) => {
      const text = await page.innerText("body", { timeout: 1_000 }).catch((error: Error) => error.message);
      return [`open page ${page.url()}`, ...troubles, text.slice(0, 2_000)].join("\n");
    }),
  );
}
