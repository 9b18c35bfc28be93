/** Paths as sequences of words, each in its singular: `server/domains/hosting/deploy-keys` speaks of what `deploy-key.test.ts` tests. */

export function wordsOf(text: string): readonly string[] {
  let words = known.get(text);
  if (words === undefined) known.set(text, (words = split(text)));
  return words;
}

/** The same paths are asked for again and again. */
const known = new Map<string, readonly string[]>();

function split(text: string): string[] {
  return text
    .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "")
    .map(singular);
}

function singular(word: string): string {
  if (word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  if (/(?:ch|sh|ss|x)es$/.test(word)) return word.slice(0, -2);
  return /(?:[^sui]s)$/.test(word) && word.length > 3 ? word.slice(0, -1) : word;
}

/** Whether all words of `noun` stand in `words` one after the other. */
export function hasWords(words: readonly string[], noun: readonly string[]): boolean {
  return words.some((_, at) => noun.every((word, index) => words[at + index] === word));
}

/** How often a text speaks of `noun`, however it joins the words. */
export function timesNamed(text: string, noun: string): number {
  const parts = wordsOf(noun).map((word) =>
    word.endsWith("y") ? `${word.slice(0, -1)}(?:ys?|ies)` : `${word}(?:e?s)?`,
  );
  return text.match(new RegExp(`(?<![a-z])${parts.join("[-_ /]?")}(?![a-z])`, "gi"))?.length ?? 0;
}
