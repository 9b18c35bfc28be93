/** A generated part of a page that people write, between two comments. */
import { readFile } from "node:fs/promises";

const root = new URL("../../", import.meta.url);

/**
 * The page with `content` between `<!-- NAME: … -->` and `<!-- end of NAME -->`. Throws where the page has no such place.
 * `path` is relative to the root of the checkout.
 */
export async function withPart(path: string, name: string, content: string): Promise<string> {
  return withParts(path, { [name]: content });
}

/** The same for several parts of one page, by name. */
export async function withParts(path: string, parts: Readonly<Record<string, string>>): Promise<string> {
  let page = await readFile(new URL(path, root), "utf8");
  for (const [name, content] of Object.entries(parts)) page = put(page, { path, name, content });
  return page;
}

function put(page: string, { path, name, content }: { path: string; name: string; content: string }): string {
  const place = new RegExp(`(<!-- ${name}: [^\\n]* -->\\n)[\\s\\S]*?(<!-- end of ${name} -->)`);
  if (!place.test(page)) throw new Error(`${path} has no place for ${name}`);
  return page.replace(place, (_all, start: string, end: string) => `${start}\n${content}\n\n${end}`);
}
