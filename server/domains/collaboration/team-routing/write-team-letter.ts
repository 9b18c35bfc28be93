/** A mail to a team's shared address: titles and links alone, because nobody knows who reads there. */
import type { Addresses } from "../../../platform/addresses.ts";
import type { LateMail } from "../../operation/domain.ts";
import { digestSubject } from "../notification-mails/compose-mails.ts";
import { automaticHeaders, listHeaders, threadHeaders } from "../notification-mails/letter-headers.ts";
import { footerMarkup, link, paragraph, plainFooter, said } from "../notification-mails/letter-parts.ts";
import { subjectOf } from "../notification-mails/plain-line.ts";
import { actorOf } from "../notification-mails/sayings.ts";
import { itemPage } from "../notification-mails/write-letter.ts";
import type { TeamLetterRow } from "./mails.store.ts";

export interface LetterPlaces {
  addresses: Addresses;
  /** Ends mails to this address. */
  endUrl: string;
}

// The team is not named: who sees a secret one can change.
const deeds = { team_mention: "mentioned your team", review_requested: "asked your team for a review" };
/** Where nobody did it, as with code owners. */
const states = {
  team_mention: "Your team was mentioned.",
  review_requested: "Your team is asked for a review.",
};
const why = "You get it because this is the shared address of a team.";

/** Of one event or of several; at least one. */
export function writeTeamLetter(
  rows: readonly [TeamLetterRow, ...TeamLetterRow[]],
  { addresses, endUrl }: LetterPlaces,
): Omit<LateMail, "onOutcome" | "to"> {
  const [first] = rows;
  const isDigest = rows.length > 1;
  const host = new URL(addresses.webUrl).hostname;
  const links = [{ words: "Get no more mails at this address", href: endUrl }];
  const items = [...Map.groupBy(rows, ({ work_item_id: itemId }) => itemId).values()];
  const reason = isDigest ? "digest" : first.reason;
  return {
    subject: isDigest ? digestSubject(rows.length) : subjectOf(first),
    ...(isDigest ? {} : { fromName: `${actorOf(first)} (Forgeline)`, ...threadHeaders(first, host) }),
    headers: { ...(isDigest ? {} : listHeaders(first, host)), ...automaticHeaders(reason, endUrl) },
    text: [...items.map((item) => plainItem(item, addresses)), plainFooter(why, links)].join("\n\n"),
    html: [...items.map((item) => itemMarkup(item, addresses)), "<hr>", footerMarkup(why, links)].join("\n"),
  };
}

function plainItem(rows: readonly TeamLetterRow[], addresses: Addresses): string {
  const [first] = rows;
  if (!first) return "";
  return [subjectOf(first), itemPage(first, addresses), ...rows.map((row) => `* ${sentenceOf(row)}`)].join(
    "\n",
  );
}

function itemMarkup(rows: readonly TeamLetterRow[], addresses: Addresses): string {
  const [first] = rows;
  if (!first) return "";
  const head = paragraph([link(subjectOf(first), itemPage(first, addresses))]);
  return [head, ...rows.map((row) => paragraph([said(sentenceOf(row))]))].join("\n");
}

function sentenceOf(row: TeamLetterRow): string {
  return row.actor === null ? states[row.reason] : `${actorOf(row)} ${deeds[row.reason]}.`;
}
