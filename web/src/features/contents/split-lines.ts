/** The lines of a text, without their ends; a line break at the end begins no further line. */
export function splitLines(text: string): string[] {
  const lines = withUnixEnds(text).split("\n");
  if (lines.length > 1 && lines.at(-1) === "") lines.pop();
  return lines;
}

export function withUnixEnds(text: string): string {
  return text.replaceAll("\r\n", "\n");
}
