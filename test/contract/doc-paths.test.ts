/** Files and folders that the documentation names are there: whoever reads of one finds it. */
import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const rooms = "bench|cli|clients|compiler|docs|launcher|runner|schemas|scripts|server|test|web|workflows";
/** A path in code marks, whole; of `a/{b,c}.ts` each. What stands for something (`<noun>`, `NOUN`, `…`) is no path. */
const named = new RegExp(`\`((?:${rooms})/[\\w./{},*-]*)\``, "g");

function exceptionsIn(text: string): string[] {
  return [...text.matchAll(named)].map(([, path = ""]) => path.replace(/\/$/, ""));
}

/** Made on first use, so not there in a fresh checkout. */
const built = ["web/dist"];

const pages = globSync("docs/**/*.md").filter((page) => !page.startsWith("docs/plans/"));

test.each(pages)("%s", (page) => {
  const missing = exceptionsIn(readFileSync(page, "utf8")).filter(
    (path) => !built.includes(path) && globSync(path).length === 0,
  );
  expect(missing).toEqual([]);
});

test("a name is taken for a path only where it is one", () => {
  expect(exceptionsIn("`server/a.ts` `server/{a,b}/` `server/edges/rest/<noun>/` `npm run x` `a/b`")).toEqual(
    ["server/a.ts", "server/{a,b}"],
  );
});
