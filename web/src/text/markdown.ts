/** Words around texts in Markdown, and of the field to write one. */
export const text = {
  plain: "This text is too long or too deeply nested to be formatted, so it is shown as it was written.",
  alerts: { note: "Note", tip: "Tip", important: "Important", warning: "Warning", caution: "Caution" },
  viewsOf: (label: string) => `${label}: write or preview`,
  write: "Write",
  preview: "Preview",
  nothing: "Nothing to preview.",
  hint: "Markdown is supported.",
  tools: "Formatting",
  tool: {
    bold: "Bold (Ctrl+B)",
    italic: "Italic (Ctrl+I)",
    quote: "Quote",
    code: "Code",
    link: "Link (Ctrl+K)",
    list: "List",
    tasks: "Task list",
  },
};
