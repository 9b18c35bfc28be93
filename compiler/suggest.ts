/** Hints: the known name nearest to a wrong one, and lists of names. User text is quoted and cut short. */

/** Quotes text of the file for a message; long text is cut, line breaks and control characters are shown as spaces. */
export function quote(text: string): string {
  const flat = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ");
  return `"${flat.length > 60 ? `${flat.slice(0, 57)}…` : flat}"`;
}

/** The nearest of `names`, or null when none is near. */
export function nearest(wrong: string, names: Iterable<string>): string | null {
  const word = wrong.toLowerCase().slice(0, 64);
  const max = Math.max(1, Math.floor(word.length / 3));
  let best: string | null = null;
  let bestDistance = max + 1;
  for (const name of names) {
    const distance = editDistance(word, name.toLowerCase(), bestDistance);
    if (distance < bestDistance) {
      best = name;
      bestDistance = distance;
    }
  }
  return best;
}

/** `did you mean "x"? <label>: a, b, c` */
export function suggestion(wrong: string, names: readonly string[], label: string): string | null {
  const near = nearest(wrong, names);
  const parts = [];
  if (near !== null) parts.push(`did you mean "${near}"?`);
  if (names.length > 0) parts.push(`${label}: ${nameList(names)}`);
  return parts.length > 0 ? parts.join(" ") : null;
}

export function nameList(names: readonly string[]): string {
  const shown = names.slice(0, 20).join(", ");
  return names.length > 20 ? `${shown} and ${names.length - 20} more` : shown;
}

/** "a", "a or b", "a, b or c" */
export function joinWithOr(words: readonly string[]): string {
  if (words.length < 2) return words.join("");
  return `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}

/** Levenshtein with swaps of neighbours; gives up (Infinity) from `limit` on. Why ours: `docs/decisions/0030-own-distance-of-words.md`. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return Infinity;
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let value = Math.min((previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (previous[j - 1] ?? 0) + cost);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) value = Math.min(value, (before[j - 2] ?? 0) + 1);
      row.push(value);
    }
    if (Math.min(...row) >= limit) return Infinity;
    before = previous;
    previous = row;
  }
  return previous[b.length] ?? Infinity;
}
