/** What was typed and not sent yet, kept for as long as the tab is open. */
const prefix = "forgeline-draft:";

export function readDraft(key: string): string | undefined {
  return sessionStorage.getItem(prefix + key) ?? undefined;
}

/** An empty text is none. What does not fit is not kept. */
export function keepDraft(key: string, words: string): void {
  if (words === "") return forgetDraft(key);
  try {
    sessionStorage.setItem(prefix + key, words);
  } catch {
    forgetDraft(key);
  }
}

/** After it was sent or given up. */
export function forgetDraft(key: string): void {
  sessionStorage.removeItem(prefix + key);
}
