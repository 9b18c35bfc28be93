/** Pages that end mails of notifications: plain forms, no script. They name nothing of what the mail was about. */
import { escapeHtml, renderPage } from "../http/page.ts";

function page(title: string, body: string): string {
  return renderPage({ title, body: `<h1>${escapeHtml(title)}</h1>\n${body}`, nav: [], current: "" });
}

const settings = '<a href="/settings/notifications">your settings</a>';

const asked = {
  conversation:
    "You will be told no more of the conversation that the mail is about, unless somebody mentions you by name, assigns you or asks for your review.",
  all: "You will get no more mails of notifications. Your inbox stays as it is.",
} as const;

export function askPage(what: keyof typeof asked): string {
  return page(
    "Get no more mails?",
    `<p>${asked[what]}</p>
<form method="post"><button>Unsubscribe</button></form>
<p>You can choose what you get by mail in ${settings}.</p>`,
  );
}

const done = {
  conversation:
    "You will be told no more of this conversation. To be told again, choose Subscribe beside it.",
  all: "You will get no more mails of notifications.",
} as const;

export function donePage(what: keyof typeof done): string {
  return page("Done", `<p role="status">${done[what]}</p>\n<p>What you get by mail is in ${settings}.</p>`);
}

export function unknownPage(): string {
  return page(
    "This address does not work",
    `<p role="alert">It is incomplete, or older than 90 days. Choose what you get by mail in ${settings}.</p>`,
  );
}
