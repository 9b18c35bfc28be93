/** Who builds pages finds every component of `web/src/ui` on the components page. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";

const source = join(import.meta.dirname, "../../../web/src");
/** Shown by others: the menu's own part that is fetched late, and what the frame has once for `tell`. */
const shownByOthers = ["OpenedMenu", "Toasts"];

test("every component is on the components page", async () => {
  const page = (await sources("features/components")).join("\n");
  const components = (await sources("ui")).flatMap((text) =>
    [...text.matchAll(/^export function ([A-Z]\w*)/gm)].map(([, name = ""]) => name),
  );
  expect(components.length).toBeGreaterThan(30);
  const missing = components.filter((name) => !new RegExp(`<${name}\\b`).test(page));
  expect(missing.toSorted()).toEqual(shownByOthers);
});

async function sources(directory: string): Promise<string[]> {
  const names = await readdir(join(source, directory));
  const files = names.filter((name) => name.endsWith(".tsx"));
  return Promise.all(files.map((name) => readFile(join(source, directory, name), "utf8")));
}
