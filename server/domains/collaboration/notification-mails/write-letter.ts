/** One event as a mail. */
import type { Addresses } from "../../../platform/addresses.ts";
import { repositoryAddress } from "../../hosting/domain.ts";
import type { LateMail } from "../../operation/domain.ts";
import { automaticHeaders, listHeaders, threadHeaders } from "./letter-headers.ts";
import { letterMarkup } from "./letter-markup.ts";
import {
  footerMarkup,
  link,
  paragraph,
  plainFooter,
  said,
  shorten,
  type FooterLink,
} from "./letter-parts.ts";
import type { LetterRow } from "./letters.store.ts";
import { subjectOf } from "./plain-line.ts";
import { approvalRequested } from "../notifications/columns.store.ts";
import { actorOf, happeningOf, hasText, reasonWords } from "./sayings.ts";

export type Letter = Omit<LateMail, "onOutcome" | "to">;

export interface LetterSurroundings {
  addresses: Addresses;
  /** That ends mails of this conversation. */
  unsubscribeUrl: string;
  /** Where answers become comments; undefined where the instance takes none. */
  replyTo?: string | undefined;
  /** Default: of each text anew. */
  markup?: typeof letterMarkup;
}

export function writeLetter(row: LetterRow, around: LetterSurroundings): Letter {
  const { addresses, unsubscribeUrl, replyTo, markup = letterMarkup } = around;
  const host = new URL(addresses.webUrl).hostname;
  const page = itemPage(row, addresses);
  const happening = happeningOf(row);
  const { text, isCut } = hasText(row) ? shorten(row.body) : { text: "", isCut: false };
  const why = `${replyTo === undefined ? "" : "Answer this mail to comment. "}You get it because ${reasonWords[row.reason]}.`;
  const links = [...waitingLinks(row, addresses), ...footerLinks(page, around)];
  const place = { repository: `${row.owner}/${row.name}`, webUrl: addresses.webUrl };
  return {
    subject: subjectOf(row),
    fromName: `${actorOf(row)} (Forgeline)`,
    ...(replyTo === undefined ? {} : { replyTo }),
    ...threadHeaders(row, host),
    headers: { ...listHeaders(row, host), ...automaticHeaders(row.reason, unsubscribeUrl) },
    text: [
      `${happening}${text === "" ? "." : ":"}`,
      ...(text === "" ? [] : [text]),
      ...(isCut ? [`The text goes on: ${page}`] : []),
      plainFooter(why, links),
    ].join("\n\n"),
    html: [
      paragraph([said(`${happening}${text === "" ? "." : ":"}`)]),
      text === "" ? "" : `<div dir="auto">${markup(text, place)}</div>`,
      isCut ? paragraph([said("The text goes on "), link("in the web", page), said(".")]) : "",
      "<hr>",
      footerMarkup(why, links),
    ].join("\n"),
  };
}

/** Where an approval is given: a merge request may have several runs. */
function waitingLinks({ event, owner, name }: LetterRow, addresses: Addresses): FooterLink[] {
  if (event !== approvalRequested) return [];
  const address = repositoryAddress(addresses, { owner: owner ?? "", name: name ?? "" });
  return [{ words: "Runs that wait", href: `${address.web("pipelines")}?status=awaiting_approval` }];
}

export function itemPage(
  { owner, name, kind, number }: Pick<LetterRow, "owner" | "name" | "kind" | "number">,
  addresses: Addresses,
): string {
  const address = repositoryAddress(addresses, { owner: owner ?? "", name: name ?? "" });
  return address.web(kind === "issue" ? "issues" : "merge-requests", String(number));
}

export function settingsPage({ webUrl }: Addresses): string {
  return `${webUrl}/settings/notifications`;
}

function footerLinks(page: string, { addresses, unsubscribeUrl }: LetterSurroundings): FooterLink[] {
  return [
    { words: "View it", href: page },
    { words: "Get no more of this conversation", href: unsubscribeUrl },
    { words: "Your settings", href: settingsPage(addresses) },
  ];
}
