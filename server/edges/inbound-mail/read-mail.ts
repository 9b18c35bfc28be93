/** Reads a mail that came in: who sent it, its text, and what its head says about programs. */
import { convert } from "html-to-text";
import { simpleParser, type ParsedMail } from "mailparser";
import type { InboundMail } from "../../domains/collaboration/domain.ts";
import { withinDepth } from "./within-depth.ts";

/** HTML that is longer is not read. */
const maxHtmlChars = 256 * 1024;
const maxHtmlDepth = 100;
/** Of what is parsed: programs that leave out the ends of paragraphs and items seem to go deep. */
const maxParsedDepth = 2_000;
const maxParts = 50;

/** Quotations begin with `>`, as people write them; pictures are left out. */
function textOf(html: string): string {
  return convert(withinDepth(html, maxParsedDepth), {
    wordwrap: false,
    limits: { maxInputLength: maxHtmlChars, maxDepth: maxHtmlDepth },
    selectors: [{ selector: "img", format: "skip" }],
  });
}

/** Nobody, unless there is exactly one such header: what a mail server checked may be another one than what is read here. */
function sendersOf({ from, headerLines }: ParsedMail): string[] {
  if (headerLines.filter(({ key }) => key === "from").length !== 1) return [];
  return (from?.value ?? []).flatMap(({ address, group }) =>
    group ? group.map((each) => each.address ?? "") : [address ?? ""],
  );
}

/** Rejects for what is no mail. HTML is read only where there is no plain text, and becomes plain text. */
export async function readMail(source: Buffer, returnPath: string): Promise<InboundMail> {
  const mail = await simpleParser(source, {
    skipTextToHtml: true,
    skipImageLinks: true,
    keepCidLinks: true,
    skipHtmlToText: true,
    maxChildNodes: maxParts,
    checksumAlgo: false,
  });
  const plain = mail.text ?? "";
  return {
    from: sendersOf(mail),
    messageId: mail.messageId,
    text: plain.trim() === "" && mail.html ? textOf(mail.html) : plain,
    attachments: mail.attachments.filter(({ related }) => !related).length,
    returnPath,
    headers: new Map(
      mail.headerLines.map(({ key, line }) => [key, line.slice(line.indexOf(":") + 1).trim()]),
    ),
  };
}
