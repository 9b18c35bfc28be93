/**
 * Short references in a run of words: `#12`, `owner/repo!34`, `@ada`, `@org/team`, ids of commits, `path#L3`. Whether what they
 * name exists is not known here.
 */
export type Reference =
  | { kind: "issue"; repository: string | undefined; number: number }
  | { kind: "merge_request"; repository: string | undefined; number: number }
  | { kind: "commit"; repository: string | undefined; sha: string }
  | { kind: "line"; path: string; from: number; to: number }
  | { kind: "user"; name: string }
  /** `org/team`, with the teams between them. */
  | { kind: "team"; name: string };

export interface FoundReference {
  reference: Reference;
  /** Where it stands in the words. */
  from: number;
  to: number;
}

const name = "[A-Za-z0-9_][A-Za-z0-9._-]{0,99}";
const repository = `${name}/${name}`;
/** Teams are in teams at most this deep; one more part for the organization. */
const team = `(?:/${name}){0,20}`;
const part = "[\\w.@+-]{1,100}";

/** Each alternative begins at the beginning of a word, and has a length that is bounded, so the time is in proportion to the words. */
const pattern = new RegExp(
  [
    `(?<![\\w@/.+-])@(?<mention>${name}${team})`,
    `(?<![\\w/.#!&@-])(?<issueOf>${repository})?#(?<issue>[1-9]\\d{0,9})(?![\\w-])`,
    `(?<![\\w/.#!&@-])(?<mergeOf>${repository})?!(?<merge>[1-9]\\d{0,9})(?![\\w-])`,
    `(?<![\\w/.#!&@-])(?:(?<commitOf>${repository})@)?(?<sha>[0-9a-f]{7,64})(?![\\w-]|[.@/][\\w])`,
    `(?<![\\w/.#!&@+-])(?<path>${part}(?:/${part}){0,40})#L(?<from>[1-9]\\d{0,7})(?:-L?(?<to>[1-9]\\d{0,7}))?(?![\\w-])`,
  ].join("|"),
  "g",
);

/** In every reference: most words have none of it, and are not looked through for each kind. */
export function mayRefer(words: string): boolean {
  return /[@#!]|[0-9a-f]{7}/.test(words);
}

export function findReferences(words: string): FoundReference[] {
  const found: FoundReference[] = [];
  for (const match of words.matchAll(pattern)) {
    const one = referenceOf(match.groups ?? {}, match[0]);
    if (one) found.push({ reference: one.reference, from: match.index, to: match.index + one.length });
  }
  return found;
}

type Groups = Partial<Record<string, string>>;

function referenceOf(groups: Groups, whole: string): { reference: Reference; length: number } | undefined {
  const { mention, issue, merge, sha, path, from } = groups;
  if (mention !== undefined) {
    // The full stop of a sentence.
    const named = mention.replace(/\.+$/, "");
    const reference: Reference = { kind: named.includes("/") ? "team" : "user", name: named };
    return { reference, length: named.length + 1 };
  }
  const length = whole.length;
  if (issue !== undefined)
    return { reference: { kind: "issue", repository: groups["issueOf"], number: Number(issue) }, length };
  if (merge !== undefined)
    return {
      reference: { kind: "merge_request", repository: groups["mergeOf"], number: Number(merge) },
      length,
    };
  if (sha !== undefined)
    return looksLikeCommit(sha)
      ? { reference: { kind: "commit", repository: groups["commitOf"], sha }, length }
      : undefined;
  if (path === undefined) return undefined;
  const lines = [Number(from), Number(groups["to"] ?? from)];
  return { reference: { kind: "line", path, from: Math.min(...lines), to: Math.max(...lines) }, length };
}

/** Numbers and words such as "defaced" are none, though they could be the beginning of one. */
function looksLikeCommit(sha: string): boolean {
  if (sha.length === 40 || sha.length === 64) return true;
  return sha.length <= 40 && /\d/.test(sha) && /[a-f]/.test(sha);
}
