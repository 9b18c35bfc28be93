/**
 * Globs for branches, tags and paths: `*` any characters but `/`, `**` any characters, `?` one but `/`, `\` takes the
 * next character as it is. `**` followed by `/` also stands for nothing, so `src/**` + `/x` finds `src/x`. A pattern
 * that begins with `!` excludes. Time is at most pattern × text, never exponential.
 */

/** One pattern, without `!`. Case matters; the whole text must match. */
export function matchesGlob(pattern: string, text: string): boolean {
  const parts = globParts(pattern);
  // Set of positions in the pattern that are reached so far (Thompson's way: no backtracking).
  let states = closure(parts, [0]);
  for (const character of text) {
    const next: number[] = [];
    for (const state of states) {
      const part = parts[state];
      if (part === undefined) continue;
      if (part.kind === "any" && (part.slash || character !== "/")) next.push(state);
      if (part.kind === "one" && character !== "/") next.push(state + 1);
      if (part.kind === "literal" && part.character === character) next.push(state + 1);
    }
    if (next.length === 0) return false;
    states = closure(parts, next);
  }
  return states.includes(parts.length);
}

/** Some positive pattern matches (or there is none), and no `!` pattern does. An empty list matches nothing. */
export function matchesGlobs(patterns: readonly string[], text: string): boolean {
  if (patterns.length === 0) return false;
  const positive = patterns.filter((pattern) => !pattern.startsWith("!"));
  const negative = patterns.filter((pattern) => pattern.startsWith("!"));
  if (negative.some((pattern) => matchesGlob(pattern.slice(1), text))) return false;
  return positive.length === 0 || positive.some((pattern) => matchesGlob(pattern, text));
}

type Part =
  | { kind: "literal"; character: string }
  | { kind: "one" }
  | { kind: "any"; slash: boolean }
  /** Passes over the two parts after it, a `**` and its `/`; only from before the `**`, never from within. */
  | { kind: "pass" };

function globParts(pattern: string): Part[] {
  const parts: Part[] = [];
  const characters = Array.from(pattern);
  for (let i = 0; i < characters.length; i += 1) {
    const character = characters[i] as string;
    if (character === "*") {
      let stars = 1;
      while (characters[i + 1] === "*") {
        stars += 1;
        i += 1;
      }
      const begins = parts.length === 0 || isSlash(parts.at(-1));
      if (stars > 1 && begins && characters[i + 1] === "/") parts.push({ kind: "pass" });
      parts.push({ kind: "any", slash: stars > 1 });
    } else if (character === "?") parts.push({ kind: "one" });
    else if (character === "\\" && i + 1 < characters.length) {
      i += 1;
      parts.push({ kind: "literal", character: characters[i] as string });
    } else parts.push({ kind: "literal", character });
  }
  return parts;
}

function isSlash(part: Part | undefined): boolean {
  return part?.kind === "literal" && part.character === "/";
}

function closure(parts: readonly Part[], states: readonly number[]): number[] {
  const reached = new Set<number>();
  const open = [...states];
  for (let state = open.pop(); state !== undefined; state = open.pop()) {
    if (reached.has(state)) continue;
    reached.add(state);
    const part = parts[state];
    if (part?.kind === "any") open.push(state + 1);
    if (part?.kind === "pass") open.push(state + 1, state + 3);
  }
  return [...reached];
}
