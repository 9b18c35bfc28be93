/** Whether a program sent a mail rather than somebody (RFC 3834): answers of such mails would never end. Pure. */

export interface MailHead {
  /** By names in lower case. */
  headers: ReadonlyMap<string, string>;
  /** Of the envelope; empty for reports of mail servers. */
  returnPath: string;
}

/** Their being there is enough. */
const signs = [
  "list-id",
  "list-unsubscribe",
  "x-autoreply",
  "x-autorespond",
  "x-auto-reply",
  "x-failed-recipients",
  "x-forgeline-reason",
];

export function isAutomatic({ headers, returnPath }: MailHead): boolean {
  const value = (name: string) => (headers.get(name) ?? "").trim().toLowerCase();
  const submitted = value("auto-submitted");
  return (
    returnPath === "" ||
    /^(mailer-daemon|postmaster)@/i.test(returnPath) ||
    (submitted !== "" && !/^no\b/.test(submitted)) ||
    /^(bulk|junk|list|auto_reply)\b/.test(value("precedence")) ||
    value("content-type").startsWith("multipart/report") ||
    signs.some((name) => headers.has(name))
  );
}
