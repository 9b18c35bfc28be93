/**
 * The pages between an app's request and its answer: plain forms, no script. The web interface, if the instance serves it, has
 * its own consent page.
 */
import { escapeHtml, renderPage } from "../http/page.ts";
import { destinationOf, type AuthorizeRequest } from "../../domains/accounts/domain.ts";
import { scopeWords } from "./scope-words.ts";

function page(title: string, body: string): string {
  return renderPage({ title, body: `<h1>${escapeHtml(title)}</h1>\n${body}`, nav: [], current: "" });
}

function hidden(name: string, value: string): string {
  return `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`;
}

export interface ConsentRequest {
  request: AuthorizeRequest;
  /** The query of the authorization request, as it came. */
  query: string;
  user: { username: string; isAdmin: boolean };
  csrfToken: string;
}

export function consentPage({ request, query, user, csrfToken }: ConsentRequest): string {
  const { app } = request;
  const name = escapeHtml(app.name);
  const words = request.scopes.map((scope) => `<li>${scopeWords[scope]} <code>${scope}</code></li>`);
  const back = escapeHtml(destinationOf(request.redirectUri));
  const home = app.homepage_url === null ? "" : escapeHtml(app.homepage_url);
  const about =
    home &&
    `<p>Learn more about it at <a rel="noopener noreferrer nofollow" href="${home}">${home}</a>.</p>\n`;
  const asAdmin = user.isAdmin
    ? "<p><strong>You are an administrator of this instance: the access you grant covers every repository and organization on it.</strong></p>"
    : "";
  return page(
    `Give ${app.name} access to your account?`,
    `<p>You are signed in as <strong>${escapeHtml(user.username)}</strong>. <strong>${name}</strong>, registered here by
<strong>${escapeHtml(app.owner)}</strong>, wants to act for you:</p>
<ul>${words.join("\n")}</ul>
${about}${asAdmin}<p>Whatever you choose, you then go to <strong>${back}</strong>. What you allow lasts until you withdraw it:
<a href="/docs/oauth">how</a>.</p>
<form method="post" action="/oauth/authorize">
${hidden("csrf", csrfToken)}${hidden("request", query)}
<button name="decision" value="allow">Allow</button> <button name="decision" value="deny">Deny</button>
</form>`,
  );
}

export function signInPage(form: { query: string; username?: string; problem?: string }): string {
  const problem = form.problem ? `<p role="alert"><strong>${escapeHtml(form.problem)}</strong></p>` : "";
  return page(
    "Sign in",
    `${problem}<p>Sign in to continue. You can then review what the app asks for, and still refuse.</p>
<form method="post" action="/oauth/sign-in">
${hidden("request", form.query)}
<p><label>User name or e-mail address<br><input name="username" required maxlength="254" autocomplete="username"
  value="${escapeHtml(form.username ?? "")}"></label></p>
<p><label>Password<br><input type="password" name="password" required maxlength="1000" autocomplete="current-password"></label></p>
<p><label>One-time code, if your account has a second factor<br><input name="otp" maxlength="40" autocomplete="one-time-code"></label></p>
<button>Sign in</button>
</form>
<p><a href="/login/sso?${escapeHtml(new URLSearchParams({ next: `/oauth/authorize?${form.query}` }).toString())}">Sign in
through an organization instead</a></p>`,
  );
}

export function problemPage(message: string): string {
  return page(
    "This request does not work",
    `<p role="alert">${escapeHtml(message)}</p>
<p>No access was granted. Go back to the app that sent you here, and contact its developers if this happens again.</p>`,
  );
}
