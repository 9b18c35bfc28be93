/**
 * What may be in a text of somebody else: GitHub's list, without pictures that choose themselves among several, and with what
 * `parse` itself puts there. What is not listed is left out; its words stay, except those that were never meant to be read.
 */
import { defaultSchema, type Schema } from "hast-util-sanitize";

/** Before every id that somebody wrote, so that it names nothing of the page around it. */
export const idPrefix = "user-content-";

export function schemaFor(textId: string): Schema {
  return { ...shared, clobberPrefix: idOf(textId, "") };
}

/** As it stands in the page. Texts beside each other have different `textId`s; that of a file is empty. */
export function idOf(textId: string, written: string): string {
  return `${idPrefix}${textId === "" ? "" : `${textId}-`}${written}`;
}

const shared: Schema = {
  ...defaultSchema,
  tagNames: defaultSchema.tagNames?.filter((name) => name !== "picture" && name !== "source") ?? [],
  attributes: {
    ...defaultSchema.attributes,
    code: [["className", /^language-./, "math-inline", "math-display"]],
    li: [["className", "task-list-item"], "dataTask"],
  },
  strip: ["script", "style", "template", "noscript", "textarea", "title"],
};
