/** Which attachments a text mentions: by their addresses, wherever they stand in it. */

/** More than that in one text are not looked at. */
const maxMentions = 1_000;

export function attachmentIdsIn(text: string): string[] {
  const found = new Set<string>();
  for (const [, id = ""] of text.matchAll(/\/attachments\/(atm_[0-9a-hjkmnp-tv-z]{26})(?![0-9a-z])/g)) {
    found.add(id);
    if (found.size === maxMentions) break;
  }
  return [...found];
}
