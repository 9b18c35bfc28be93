/** Links in the menus and in the command palette. A link is added once its page is complete. */
import type { SignedIn } from "../api/session.ts";
import { text } from "../text/general.ts";

export interface NavigationLink {
  to: string;
  label: string;
  /** What it is a part of. */
  within?: string;
}

/** In the bar at the top. */
export function mainLinks(session: SignedIn | null): NavigationLink[] {
  return session
    ? [
        { to: "/", label: text.home },
        { to: "/search/issues", label: text.issues },
        { to: "/search/merge-requests", label: text.mergeRequests },
        { to: "/orgs", label: text.organizations },
        ...(session.user.admin ? [{ to: "/runners", label: text.runners }] : []),
      ]
    : [];
}

/** Behind the plus. */
export const creations: readonly NavigationLink[] = [
  { to: "/new", label: text.newRepository },
  { to: "/new/organization", label: text.newOrganization },
];

/** In the user's own menu. */
export function userMenuLinks({
  user,
}: SignedIn): (NavigationLink & { icon: "settings" | "admin" | "profile" })[] {
  return [
    { to: `/${user.username}`, label: text.profile, icon: "profile" },
    { to: "/settings", label: text.settings, icon: "settings" },
    ...(user.admin ? [{ to: "/-/admin", label: text.administration, icon: "admin" as const }] : []),
  ];
}

/** What the palette knows of everywhere. */
export function paletteLinks(session: SignedIn): NavigationLink[] {
  const places = [
    ...mainLinks(session),
    { to: "/notifications", label: text.notifications },
    ...creations,
    ...userMenuLinks(session),
  ];
  return places.map(({ to, label }) => ({ to, label }));
}
