/** Names that somebody typed into one field, parted by spaces or commas; each once. */
export function wordsOf(typed: string | undefined): string[] {
  return [...new Set((typed ?? "").split(/[\s,]+/).filter((word) => word !== ""))];
}
