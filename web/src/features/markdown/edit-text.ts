/** What the buttons above a field for Markdown do with the chosen words. */
export const tools = ["bold", "italic", "quote", "code", "link", "list", "tasks"] as const;
export type Tool = (typeof tools)[number];

export interface Selection {
  from: number;
  to: number;
}

/** Put `words` in the place of what is from `from` to `to`; then `selection` is chosen. */
export interface TextEdit extends Selection {
  words: string;
  selection: Selection;
}

/** What a tool puts around the chosen words. Used again it takes that away. */
const around: Partial<Record<Tool, string>> = { bold: "**", italic: "_", code: "`" };
/** What it puts before each of the chosen lines. */
const before: Partial<Record<Tool, string>> = { quote: "> ", list: "- ", tasks: "- [ ] " };

export function editText(tool: Tool, text: string, { from, to }: Selection): TextEdit {
  const chosen = text.slice(from, to);
  const mark = around[tool];
  if (mark !== undefined)
    return chosen.includes("\n") && tool === "code"
      ? fenced(chosen, { from, to })
      : wrapped(mark, text, { from, to });
  const prefix = before[tool];
  return prefix === undefined ? linked(chosen, { from, to }) : prefixed(prefix, text, { from, to });
}

function wrapped(mark: string, text: string, { from, to }: Selection): TextEdit {
  const chosen = text.slice(from, to);
  const size = mark.length;
  if (text.slice(from - size, from) === mark && text.slice(to, to + size) === mark)
    return {
      from: from - size,
      to: to + size,
      words: chosen,
      selection: { from: from - size, to: to - size },
    };
  return { from, to, words: `${mark}${chosen}${mark}`, selection: { from: from + size, to: to + size } };
}

function fenced(chosen: string, { from, to }: Selection): TextEdit {
  const words = `\`\`\`\n${chosen.replace(/\n$/, "")}\n\`\`\`\n`;
  return { from, to, words, selection: { from: from + 4, to: from + words.length - 5 } };
}

/** The address is chosen, to be typed; an address that was chosen stays, and its words are to be typed. */
function linked(chosen: string, { from, to }: Selection): TextEdit {
  if (/^https?:\/\/\S+$/.test(chosen))
    return { from, to, words: `[](${chosen})`, selection: { from: from + 1, to: from + 1 } };
  const at = from + chosen.length + 3;
  return { from, to, words: `[${chosen}](url)`, selection: { from: at, to: at + 3 } };
}

function prefixed(prefix: string, text: string, { from, to }: Selection): TextEdit {
  const start = text.lastIndexOf("\n", from - 1) + 1;
  const lines = text.slice(start, to).split("\n");
  const isThere = lines.every((line) => line.startsWith(prefix));
  const words = lines.map((line) => (isThere ? line.slice(prefix.length) : prefix + line)).join("\n");
  const end = start + words.length;
  return { from: start, to, words, selection: { from: from === to ? end : start, to: end } };
}
