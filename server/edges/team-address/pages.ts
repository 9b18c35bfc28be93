/** Pages that confirm a team's shared address, or end mails to it: plain forms, no script. They name no team. */
import { escapeHtml, renderPage } from "../http/page.ts";

function page(title: string, body: string): string {
  return renderPage({ title, body: `<h1>${escapeHtml(title)}</h1>\n${body}`, nav: [], current: "" });
}

const asked = {
  confirm: {
    title: "Confirm this address?",
    text: "What concerns the team will be sent to the address at which you got the mail. You can end that with a link in each mail.",
    button: "Confirm",
  },
  end: {
    title: "Get no more mails at this address?",
    text: "Nothing that concerns the team will be sent to the address at which you got the mail. Members of the team are told instead.",
    button: "Unsubscribe",
  },
} as const;

export function askPage(what: keyof typeof asked): string {
  const { title, text, button } = asked[what];
  return page(title, `<p>${text}</p>\n<form method="post"><button>${button}</button></form>`);
}

const done = {
  confirm: "The address is confirmed. What concerns the team is sent there from now on.",
  end: "Nothing more is sent to this address. Whoever manages the team can ask again.",
} as const;

export function donePage(what: keyof typeof done): string {
  return page("Done", `<p role="status">${done[what]}</p>`);
}

export function unknownPage(): string {
  return page(
    "This address does not work",
    `<p role="alert">It is incomplete or too old, or the team has another address by now. Whoever manages the team can send a new link.</p>`,
  );
}
