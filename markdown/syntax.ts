/** Which Markdown we read: CommonMark with GitHub's extensions, footnotes and formulas. */
import createMarkdown, { type MarkdownIt, type Token } from "markdown-it";
// @ts-expect-error it comes without types
import footnote from "markdown-it-footnote";
import type { ReadEnvironment } from "./environment.ts";
import { addFormulas } from "./formula-rules.ts";
import { addTasks } from "./task-rules.ts";

export interface ReadText {
  tokens: Token[];
  environment: ReadEnvironment;
}

const ofFiles = createReader({ breaks: false });
/** As at GitHub: the end of a line is one where people write to each other, and a space in files. */
const ofComments = createReader({ breaks: true });

export function readMarkdown(text: string, { isComment }: { isComment: boolean }): ReadText {
  const environment: ReadEnvironment = { key: crypto.randomUUID(), tasks: [] };
  return { tokens: (isComment ? ofComments : ofFiles).parse(text, environment), environment };
}

/** Markup in which all that was written as markup is still there: it is to be sanitised. */
export function writeMarkup(read: ReadText, { isComment }: { isComment: boolean }): string {
  const { renderer, options } = isComment ? ofComments : ofFiles;
  return renderer.render(read.tokens, options, read.environment);
}

function createReader({ breaks }: { breaks: boolean }): MarkdownIt {
  const markdown = createMarkdown({ html: true, linkify: true, breaks, maxNesting: 100 });
  markdown
    .use(footnote as (markdown: MarkdownIt) => void)
    .use(addFormulas)
    .use(addTasks);
  markdown.inline.ruler.disable("footnote_inline");
  // Names of files look like hosts of some countries.
  markdown.linkify.set({ fuzzyLink: false, fuzzyIP: false });
  return markdown;
}
