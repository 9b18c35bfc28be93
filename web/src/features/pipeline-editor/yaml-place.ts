/**
 * Where in a YAML text a cursor stands: below which keys, and whether a key or a value is being written. Reads lines and
 * indentation only, so it also works while the text is not YAML yet; inside `{ }`, `[ ]`, quotes and comments it does not say.
 */

/** A key, or `item` for an element of a sequence. */
export type Segment = { key: string } | "item";

export interface YamlPlace {
  /** `value`: behind `key: `. `key`: where a key may stand; `isItem` when right behind a dash, where a value may stand, too. */
  writing: "key" | "value";
  isItem: boolean;
  /** Of the mapping for a key, of the value itself for a value. */
  path: Segment[];
  /** Keys that the mapping has already, below the cursor as well. */
  siblings: ReadonlySet<string>;
  /** What is written of the word. */
  word: string;
  /** Column, from 0, in which keys of this mapping begin. */
  column: number;
}

interface Frame {
  column: number;
  segment: Segment | null;
  keys: Set<string>;
}

const keyPattern = /^([\w.-]+|"[^"]*"|'[^']*')\s*:(?:\s+(.*))?$/;
const opensBlockText = /(?:^|\s)[|>][+-]?\d*\s*(?:#.*)?$/;

/** `line` and `column` count from 0; null where nothing can be said. */
export function yamlPlaceAt(text: string, line: number, column: number): YamlPlace | null {
  const stack: Frame[] = [{ column: -1, segment: null, keys: new Set() }];
  let blockTextBeyond: number | null = null;
  let place: YamlPlace | null = null;
  for (const [number, whole] of text.split("\n").entries()) {
    const isCursorLine = number === line;
    const content = isCursorLine ? whole.slice(0, column) : whole;
    const indent = content.length - content.trimStart().length;
    const isBlank = content.trim() === "";
    if (blockTextBeyond !== null && (indent > blockTextBeyond || isBlank)) {
      if (isCursorLine && (indent > blockTextBeyond || column > blockTextBeyond)) return null;
      if (!isCursorLine) continue;
    }
    if (!isBlank) blockTextBeyond = null;
    if (!isCursorLine && (isBlank || content.trimStart().startsWith("#"))) continue;
    if (isCursorLine) {
      place = placeOn(content, stack);
      if (place === null) return null;
      continue;
    }
    const key = enter(content, stack);
    if (key !== null && opensBlockText.test(content)) blockTextBeyond = key;
    // What comes below the cursor's own mapping has nothing more to say.
    if (place && stack.length === 1) break;
  }
  return place;
}

/** Follows one line; the column of its key or dash, null where it has neither. */
function enter(content: string, stack: Frame[]): number | null {
  const { rest, column, dash } = enterDashes(content, stack);
  const key = keyPattern.exec(rest)?.[1];
  if (key === undefined) return dash;
  leave(stack, column, false);
  const name = key.replace(/^["']|["']$/g, "");
  stack.at(-1)?.keys.add(name);
  stack.push({ column, segment: { key: name }, keys: new Set() });
  return column;
}

function enterDashes(content: string, stack: Frame[]) {
  let column = content.length - content.trimStart().length;
  let rest = content.trimStart();
  let dash: number | null = null;
  for (let found = /^-(?:\s+|$)/.exec(rest); found; found = /^-(?:\s+|$)/.exec(rest)) {
    leave(stack, column, true);
    stack.push({ column, segment: "item", keys: new Set() });
    dash = column;
    column += found[0].length;
    rest = rest.slice(found[0].length);
  }
  return { rest, column, dash };
}

/** A dash may stand in the column of the key that it belongs to; a key ends all that stands in its column. */
function leave(stack: Frame[], column: number, forDash: boolean): void {
  for (let top = stack.at(-1); top && top.segment !== null; top = stack.at(-1)) {
    const stays = top.column < column || (forDash && top.column === column && top.segment !== "item");
    if (stays) return;
    stack.pop();
  }
}

function placeOn(before: string, stack: Frame[]): YamlPlace | null {
  const { rest, column, dash } = enterDashes(before, stack);
  const pair = keyPattern.exec(rest);
  if (pair) {
    const [, key = "", value = ""] = pair;
    if (!/:\s/.test(rest) || !/^[\w.=/-]*$/.test(value)) return null;
    enter(before, stack);
    return {
      writing: "value",
      isItem: false,
      path: pathOf(stack),
      siblings: new Set(),
      word: value,
      column: key.length,
    };
  }
  if (!/^[\w.-]*$/.test(rest)) return null;
  if (dash === null) leave(stack, column, false);
  const isItem = dash !== null;
  return {
    writing: "key",
    isItem,
    path: pathOf(stack),
    siblings: stack.at(-1)?.keys ?? new Set(),
    word: rest,
    column,
  };
}

function pathOf(stack: readonly Frame[]): Segment[] {
  return stack.flatMap(({ segment }) => (segment === null ? [] : [segment]));
}
