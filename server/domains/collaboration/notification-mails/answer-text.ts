/** What somebody wrote in an answer by mail, without what their program repeated of the mail before, and without a signature. Pure. */

/** Lines are looked at one by one, each at most this far: whatever somebody sends, that takes time in proportion to it. */
const maxLineChars = 300;

export function answerText(written: string): string {
  const lines = withoutFooter(written.replaceAll(/\r\n?/g, "\n").split("\n"));
  const cut = lines.findIndex((line, index) => endsAnswer(line, lines.slice(index + 1, index + 5)));
  const answer = cut < 0 ? lines : lines.slice(0, cut);
  return withoutLastQuotation(withoutSentFrom(withoutLastQuotation(answer)))
    .join("\n")
    .trim();
}

/** In any encoding of its slashes: some programs wrap the addresses of a mail in their own. */
const unsubscribeAddress = /(\/|%2f)-(\/|%2f)unsubscribe(\/|%2f)/i;
const quotedFooter = /^[> ]*> ?-- ?$/;

/** Whoever has the address that unsubscribes can use it, so it never becomes part of a comment, however the mail before is repeated. */
function withoutFooter(lines: readonly string[]): readonly string[] {
  const footer = lines.findIndex((line) => quotedFooter.test(line.slice(0, maxLineChars)));
  return lines.filter(
    (line, index) => !unsubscribeAddress.test(line) && (footer < 0 || index < footer || !isQuoted(line)),
  );
}

/** From here on nothing is theirs. */
function endsAnswer(line: string, next: readonly string[]): boolean {
  const text = line.slice(0, maxLineChars).trim();
  return text === "--" || /^_{20,}$/.test(text) || originalMessage.test(text) || beginsHead(text, next);
}

const originalMessage =
  /^-{2,} ?(original message|forwarded message|ursprüngliche nachricht|message d'origine|mensaje original|messaggio originale|oorspronkelijk bericht) ?-{2,}$/i;
const sentFrom =
  /^(sent from my|sent from outlook|get outlook for|gesendet von mein|von meinem .{1,30} gesendet|envoyé de mon|enviado desde mi|inviato da)\b/i;
const maxSentFromChars = 60;
const from = /^\*?(from|von|de|da|van):\*? .*@/i;
const furtherFields =
  /^\*?(sent|date|to|subject|cc|gesendet|datum|an|betreff|envoyé|à|objet|enviado|para|asunto|verzonden|aan|onderwerp|inviato|a|oggetto)\s?:/i;

/** The head of the mail before, as Outlook writes it. */
function beginsHead(text: string, next: readonly string[]): boolean {
  return from.test(text) && next.filter((line) => furtherFields.test(line.trim())).length >= 2;
}

const isQuoted = (line: string) => line.startsWith(">");
const isEmpty = (line: string) => line.trim() === "";

/** Programs put it at the end; anywhere else, or in a long line, it is what somebody says. */
function withoutSentFrom(lines: readonly string[]): readonly string[] {
  const last = lines.flatMap((line, index) => (isEmpty(line) ? [] : [index])).slice(-3);
  const cut = last.find((index) => {
    const text = (lines[index] ?? "").slice(0, maxLineChars).trim();
    return text.length <= maxSentFromChars && sentFrom.test(text);
  });
  return cut === undefined ? lines : lines.slice(0, cut);
}

/** With the line before it that says who wrote it. Quotations between answers stay. */
function withoutLastQuotation(lines: readonly string[]): readonly string[] {
  let end = lines.length;
  const back = (is: (line: string) => boolean) => {
    const before = end;
    while (end > 0 && is(lines[end - 1] ?? "")) end -= 1;
    return before - end;
  };
  back(isEmpty);
  if (back((line) => isQuoted(line) || isEmpty(line)) === 0) return lines;
  return lines.slice(0, end - attributionLines(lines.slice(Math.max(0, end - 2), end)));
}

const opening = /^(on|am|le|el|il|op|em|den)\b.*\d/i;
const wording = /<|@|wrote|schrieb|écrit|escribió|scritto|schreef/i;

/** How many of the two lines before a quotation say who wrote it: long ones are broken. */
function attributionLines(lines: readonly string[]): number {
  const said = lines.map((line) => line.slice(0, maxLineChars).trim());
  const last = said.at(-1) ?? "";
  const before = said.length === 2 ? (said[0] ?? "") : "";
  if (!last.endsWith(":") || !wording.test(`${before} ${last}`)) return 0;
  if (!opening.test(last) && opening.test(before)) return 2;
  return wording.test(last) && /\d|@/.test(last) ? 1 : 0;
}
