/**
 * The language of search fields for issues and merge requests (`docs/search.md`): what each qualifier means. Pure; the same for lists,
 * boards, saved filters and the search in all repositories.
 */
import { readSearchPieces, SearchQueryError, type SearchPiece } from "../../../platform/search-pieces.ts";
import {
  dateFields,
  lacking,
  marks,
  personRoles,
  searchSorts,
  type Condition,
  type DateField,
  type ItemState,
  type Person,
  type PersonRole,
  type ReadQuery,
  type SearchedKind,
  type SearchOrder,
} from "./conditions.ts";
import { readDays } from "./read-days.ts";

/** Name of whoever asks, for `me`; null: not signed in. */
export type Asker = string | null;
/** For `me` where a query was written by others, and nobody is signed in: no user has this name. */
export const nobody: Asker = "";

const kindWords: Readonly<Record<string, SearchedKind>> = {
  issue: "issue",
  "merge-request": "merge_request",
  merge_request: "merge_request",
  mr: "merge_request",
  pr: "merge_request",
};
const stateWords: readonly ItemState[] = ["open", "closed", "merged"];
const others = [
  "is",
  "state",
  "type",
  "label",
  "milestone",
  "no",
  "repo",
  "owner",
  "org",
  "user",
  "sort",
  "draft",
  "source",
  "head",
  "target",
  "base",
];
const qualifiers: ReadonlySet<string> = new Set([...personRoles, ...dateFields, ...others]);

/** Throws `SearchQueryError`, which names the place. Linear in the length of the text. */
export function readQuery(text: string, asker: Asker): ReadQuery {
  const pieces = readSearchPieces(text, qualifiers);
  const read: ReadQuery = { conditions: [], order: null };
  const words: SearchPiece[] = [];
  for (const piece of pieces) {
    if (piece.name === null) words.push(piece);
    else if (piece.name === "sort") read.order = orderOf(piece);
    else read.conditions.push(readQualifier(piece, asker));
  }
  return { ...read, conditions: [...joined(read.conditions), ...wordConditions(words)] };
}

/** Throws `SearchQueryError` for a value that means nothing. */
export function readQualifier(piece: SearchPiece, asker: Asker): Condition {
  const { name, value, not } = piece;
  const role = personRoles.find((known) => known === name);
  if (role) return personOf(piece, role, asker);
  const field = dateFields.find((known) => known === name);
  if (field) return daysOf(piece, field);
  switch (name) {
    case "label":
      return { on: "label", name: value, not };
    case "milestone":
      return value === "none" && !piece.exact
        ? { on: "lacks", what: "milestone", not }
        : { on: "milestone", title: value, not };
    case "source":
    case "head":
      return { on: "branch", side: "source", name: value, not };
    case "target":
    case "base":
      return { on: "branch", side: "target", name: value, not };
    case "no":
      return { on: "lacks", what: oneOf(lacking, piece), not };
    case "repo":
      if (!/^[^/]+\/[^/]+$/.test(value)) throw wrong(piece, "is written repo:OWNER/NAME");
      return { on: "repository", any: [value], not };
    case "owner":
    case "org":
    case "user":
      return { on: "owner", any: [value], not };
    case "draft":
      return { on: "mark", mark: "draft", not: not !== (oneOf(["true", "false"], piece) === "false") };
    default:
      return kindOrState(piece);
  }
}

/** `is:`, `state:` and `type:`. */
function kindOrState(piece: SearchPiece): Condition {
  const { name, not } = piece;
  const word = piece.value.toLowerCase();
  const state = stateWords.find((known) => known === word);
  if (state && name !== "type") return { on: "state", any: [state], not };
  if (word === "all" && name === "state") return { on: "state", any: stateWords, not };
  const kind = kindWords[word];
  if (kind && name !== "state") return { on: "kind", any: [kind], not };
  const mark = marks.find((known) => known === word);
  if (mark && name === "is") return { on: "mark", mark, not };
  const known = {
    is: [...stateWords, "issue", "mr", ...marks],
    state: [...stateWords, "all"],
    type: ["issue", "mr"],
  };
  throw wrong(piece, `can be ${known[name as keyof typeof known].join(", ")}`);
}

function personOf(piece: SearchPiece, role: PersonRole, asker: Asker): Condition {
  const name = piece.value.replace(/^@/, "");
  const { not } = piece;
  if (name === "none" && role === "assignee") return { on: "lacks", what: "assignee", not };
  if (!/^[A-Za-z0-9._/-]{1,201}$/.test(name)) throw wrong(piece, "is a user name, or me");
  if (name.toLowerCase() !== "me") return { on: "person", role, any: [{ name, isViewer: false }], not };
  if (asker === null) throw wrong(piece, "takes somebody who is signed in: write a user name");
  const viewer: Person = { name: asker, isViewer: true };
  return { on: "person", role, any: [viewer], not };
}

function daysOf(piece: SearchPiece, field: DateField): Condition {
  if (field === "due" && piece.value === "none") return { on: "lacks", what: "due", not: piece.not };
  const days = readDays(piece.value);
  if (!days) throw wrong(piece, "is a day, as in 2026-11-30, >=2026-11-30 or 2026-11-01..2026-11-30");
  return { on: "date", field, ...days, not: piece.not };
}

function orderOf(piece: SearchPiece): SearchOrder {
  const [, name, direction] = /^([a-z]+)(?:-(asc|desc))?$/.exec(piece.value) ?? [];
  const sort = searchSorts.find((known) => known === name);
  if (!sort || piece.not) throw wrong(piece, `is ${searchSorts.join(", ")}, each also with -asc or -desc`);
  return { sort, direction: direction === "asc" ? "asc" : "desc" };
}

function oneOf<Value extends string>(values: readonly Value[], piece: SearchPiece): Value {
  const found = values.find((value) => value === piece.value.toLowerCase());
  if (found === undefined) throw wrong(piece, `can be ${values.join(", ")}`);
  return found;
}

function wrong(piece: SearchPiece, rule: string): SearchQueryError {
  return new SearchQueryError(
    `${piece.name}:${piece.value} cannot be understood: ${piece.name}: ${rule}`,
    piece.at,
  );
}

/** A state, kind, author, repository or owner that is named twice means either, since nothing has two of them. */
function joined(conditions: readonly Condition[]): Condition[] {
  const groups = new Map<string, Condition>();
  conditions.forEach((condition, index) => {
    const key = groupOf(condition) ?? String(index);
    const before = groups.get(key);
    groups.set(key, before ? either(before, condition) : condition);
  });
  return [...groups.values()];
}

function groupOf(condition: Condition): string | null {
  if (condition.not) return null;
  if (condition.on === "person") return condition.role === "author" ? "author" : null;
  return ["state", "kind", "repository", "owner"].includes(condition.on) ? condition.on : null;
}

function either(first: Condition, second: Condition): Condition {
  const any = (condition: Condition) => ("any" in condition ? condition.any : []);
  return { ...first, any: [...any(first), ...any(second)] } as Condition;
}

/** Each word has to be there; of words with `or` between them one. */
function wordConditions(pieces: readonly SearchPiece[]): Condition[] {
  const groups: SearchPiece[][] = [];
  let joins = false;
  for (const piece of pieces) {
    const isOr = piece.value.toLowerCase() === "or" && !piece.exact && !piece.not;
    const last = groups.at(-1);
    if (isOr && last) {
      joins = true;
      continue;
    }
    if (!/[\p{L}\p{N}]/u.test(piece.value)) continue;
    if (joins && last && !piece.not && !last[0]?.not) last.push(piece);
    else groups.push([piece]);
    joins = false;
  }
  return groups.map((group) => ({
    on: "words",
    any: group.map(({ value, exact }) => ({ text: value, exact: exact || value.length < minPrefix })),
    not: group[0]?.not ?? false,
  }));
}

/** Shorter ones begin too many words. */
const minPrefix = 3;
