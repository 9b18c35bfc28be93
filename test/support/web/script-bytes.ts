import type { Page } from "playwright-core";

/** Script bytes that came over the network for the page, as compressed. */
export function scriptBytes(page: Page): Promise<number> {
  return page.evaluate(`performance.getEntriesByType("resource")
    .filter((entry) => entry.name.endsWith(".js"))
    .reduce((sum, entry) => sum + entry.encodedBodySize, 0)`);
}
