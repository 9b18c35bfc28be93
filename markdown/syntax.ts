/** Which Markdown we read: CommonMark with GitHub's extensions and formulas. */
import type { Root } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { mathFromMarkdown } from "mdast-util-math";
import { gfm } from "micromark-extension-gfm";
import { math } from "micromark-extension-math";
import { singleDollarMath } from "./single-dollar-math.ts";

const options = {
  extensions: [gfm(), math({ singleDollarTextMath: false }), singleDollarMath],
  mdastExtensions: [gfmFromMarkdown(), mathFromMarkdown()],
};

/** Takes time that grows faster than the text: callers ask `isTooCostly` first. */
export function readMarkdown(text: string): Root {
  return fromMarkdown(text, options);
}
