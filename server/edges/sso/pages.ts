/** The pages of a sign-in through an organization's provider: plain forms, no script. */
import { escapeHtml, renderPage } from "../http/page.ts";
import type { SsoQuestion } from "../../domains/organizations/domain.ts";

function page(title: string, body: string): string {
  return renderPage({ title, body: `<h1>${escapeHtml(title)}</h1>\n${body}`, nav: [], current: "" });
}

function alert(problem: string | undefined): string {
  return problem ? `<p role="alert"><strong>${escapeHtml(problem)}</strong></p>` : "";
}

export function organizationPage(asked: { next: string | null; problem?: string }): string {
  const next =
    asked.next === null ? "" : `<input type="hidden" name="next" value="${escapeHtml(asked.next)}">`;
  return page(
    "Sign in through an organization",
    `${alert(asked.problem)}<form method="get" action="/login/sso">
${next}<p><label>Organization<br><input name="organization" required maxlength="100" autocomplete="organization"></label></p>
<button>Go to its identity provider</button>
</form>`,
  );
}

/** The previous input, and why it was not accepted. */
export interface FormState {
  problem?: string;
  username?: string;
}

export function questionPage(question: SsoQuestion, tried: FormState & { signedInAs: string }): string {
  if (question.kind === "code") return codePage(question, tried);
  const { organization, displayName, email } = question;
  const known = [displayName, email ?? ""].filter((text) => text !== "").join(", ");
  return page(
    `Choose an account`,
    `${alert(tried.problem)}<p>The identity provider of <strong>${escapeHtml(organization)}</strong> knows you${
      known === "" ? "" : ` (${escapeHtml(known)})`
    }, but no account here is linked to that identity.</p>
${existingForm(question, tried)}
${question.mayMakeAccount ? newForm(question, tried) : ""}`,
  );
}

function codePage({ organization, username }: SsoQuestion & { kind: "code" }, tried: FormState): string {
  return page(
    "One more step",
    `${alert(tried.problem)}<p>The identity provider of <strong>${escapeHtml(organization)}</strong> knows you as
<strong>${escapeHtml(username)}</strong>. This account has a second factor.</p>
<form method="post" action="/login/sso-account/code">
<p><label>One-time code, or a recovery code<br><input name="otp" required maxlength="40" autocomplete="one-time-code"></label></p>
<button>Sign in</button>
</form>`,
  );
}

function existingForm(
  question: SsoQuestion & { kind: "account" },
  tried: FormState & { signedInAs: string },
): string {
  const organization = escapeHtml(question.organization);
  const join = question.mayJoin
    ? `If you are not yet a member of ${organization}, you will become one.`
    : `You must already be a member of ${organization}.`;
  return `<h2>I have an account</h2>
<p>Sign in once more to link it. <strong>Whoever runs ${escapeHtml(question.issuer)} can then sign in as you</strong>, until
you unlink the two again: <a href="/docs/sso">how</a>. ${join}</p>
<form method="post" action="/login/sso-account/existing">
<p><label>User name or e-mail address<br><input name="username" required maxlength="254" autocomplete="username"
  value="${escapeHtml(tried.username ?? tried.signedInAs)}"></label></p>
<p><label>Password<br><input type="password" name="password" required maxlength="1000" autocomplete="current-password"></label></p>
<p><label>One-time code, if your account has a second factor<br><input name="otp" maxlength="40" autocomplete="one-time-code"></label></p>
<button>Sign in and link</button>
</form>`;
}

function newForm(question: SsoQuestion & { kind: "account" }, tried: FormState): string {
  return `<h2>I do not have an account</h2>
<p>A new account becomes a member of ${escapeHtml(question.organization)}, and this is how you sign in to it.</p>
<form method="post" action="/login/sso-account/new">
<p><label>User name<br><input name="username" required maxlength="100" autocomplete="off"
  value="${escapeHtml(tried.username ?? question.suggestedUsername)}"></label></p>
<button>Make the account</button>
</form>`;
}

/** `signedIn`: the person is signed in, although the request failed. */
export function ssoProblemPage(message: string, more: { signedIn?: boolean } = {}): string {
  return page(
    "This request does not work",
    `<p role="alert">${escapeHtml(message)}</p>
<p>${more.signedIn ? "You are signed in with your password, but nothing was linked." : 'You were not signed in. <a href="/login/sso">Start again</a>, or sign in with your password.'}</p>`,
  );
}
