/** Words of the page on which somebody allows an app to act for them, or does not. */
export const text = {
  title: "Allow an app",
  question: (app: string) => `Give ${app} access to your account?`,
  owner: "Registered here by",
  homepage: "Home page",
  you: "You are signed in as",
  wants: "It wants to act for you:",
  asAdmin:
    "You are an administrator of this instance: the access you grant covers every repository and organization on it.",
  next: (place: string) =>
    `Whatever you choose, you then go to ${place}. What you allow lasts until you withdraw it in your settings.`,
  allow: "Allow",
  deny: "Deny",
  gone: (place: string) => `Taking you to ${place}. If nothing happens, go back to the app yourself.`,
  broken: "This request does not work",
  brokenHint:
    "No access was granted. Go back to the app that sent you here, and tell its developers if it happens again.",
} as const;
