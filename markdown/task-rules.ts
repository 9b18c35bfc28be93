/** Items of lists that begin with `[ ]` or `[x]`. */
import type { MarkdownIt, Token } from "markdown-it";
import type { ReadEnvironment } from "./environment.ts";

const box = /^\[([ xX])\](?=[ \t\n])/;

/** Notes them in the environment, and puts a box into the item. */
export function addTasks(markdown: MarkdownIt): void {
  markdown.core.ruler.after("inline", "tasks", ({ tokens, env, Token }) => {
    const { key = "", tasks = [] } = env as Partial<ReadEnvironment>;
    for (const [index, token] of tokens.entries()) {
      const first = firstOf(tokens, index);
      const mark = first && box.exec(first.content)?.[1];
      if (!first || mark === undefined) continue;
      const checked = mark !== " ";
      const sign = new Token("html_inline", "", 0);
      sign.content = `<input type="checkbox" disabled${checked ? " checked" : ""} data-task="${key}-${tasks.length}">`;
      first.content = first.content.slice(3);
      token.children?.unshift(sign);
      tasks.push({ line: token.map?.[0] ?? 0, checked });
    }
  });
}

/** The words that an item begins with, if the token of this index is its first paragraph. */
function firstOf(tokens: readonly Token[], index: number): Token | undefined {
  if (tokens[index]?.type !== "inline" || tokens[index - 1]?.type !== "paragraph_open") return undefined;
  if (tokens[index - 2]?.type !== "list_item_open") return undefined;
  const first = tokens[index]?.children?.[0];
  return first?.type === "text" ? first : undefined;
}
