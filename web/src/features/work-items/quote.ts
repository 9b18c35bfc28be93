/** The field's text with another text quoted at its end, ready for the answer. */
export function withQuote(typed: string, quoted: string): string {
  const lines = quoted.trim().split(/\r?\n/);
  const quote = lines.map((line) => (line === "" ? ">" : `> ${line}`)).join("\n");
  return `${typed.trim() === "" ? "" : `${typed.trimEnd()}\n\n`}${quote}\n\n`;
}
